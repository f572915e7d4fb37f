#include "src/nets/adam.h"

#include <cmath>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/nets/range.h"

namespace dray {

Adam::Adam(size_t parameters, const AdamSettings& settings)
    : settings_(settings), first_(parameters, 0.0f), second_(parameters, 0.0f) {}

void Adam::Step(double learning_rate, std::span<const float> gradients, std::span<float> parameters,
                double gradient_scale, ThreadTeam& team) {
  DRAY_CHECK_EQ(gradients.size(), first_.size());
  DRAY_CHECK_EQ(parameters.size(), first_.size());
  ++steps_;
  const double beta1 = settings_.beta1, beta2 = settings_.beta2;
  const double first_bias = 1 - std::pow(beta1, steps_);
  const double second_bias = 1 - std::pow(beta2, steps_);
  AdamStep step;
  step.gradient_scale = gradient_scale;
  step.keep_first = beta1;
  step.take_first = 1 - beta1;
  step.keep_second = beta2;
  step.take_second = 1 - beta2;
  step.rate = learning_rate / first_bias;
  step.second_scale = 1 / second_bias;
  step.epsilon = settings_.epsilon;
  const int parts = team.threads();
  team.For(parts, [&](int part) {
    const Range range = PartOf(std::ssize(first_), part, parts, kStretch);
    const auto own = [&](auto&& numbers) {
      return std::span(numbers).subspan(range.first, range.count);
    };
    TakeAdamStep(step, own(gradients), own(first_), own(second_), own(parameters));
  });
}

void Adam::Save(ByteWriter& out) const {
  out.Put(steps_);
  out.PutVector(first_);
  out.PutVector(second_);
}

void Adam::Load(ByteReader& in) {
  const auto steps = in.Get<int64_t>();
  if (!IsCount(steps)) throw Failure("an optimiser's saved state is damaged");
  steps_ = steps;
  in.GetInto(std::span(first_));
  in.GetInto(std::span(second_));
}

}  // namespace dray
