#include "src/learn/device/splitting_gradients.h"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "src/base/error.h"
#include "src/learn/device/torch_loss.h"
#include "src/nets/device_memory.h"

namespace dray {
namespace {

// Returns what the means of a part add to those of the whole.
LossTerms Weighted(LossTerms terms, double weight) {
  for (int i = 0; i < kMeanTerms; ++i) terms.of[i] *= weight;
  return terms;
}

}  // namespace

template <typename Call>
bool SplittingGradients::Fits(int64_t rows, Limit& limit, const Call& call) {
  if (FitsInMemory(call)) return true;
  if (rows <= limit.unit) {
    throw Failure("the learner ran out of memory on a single ",
                  limit.unit == 1 ? "sample" : "sequence",
                  ": free memory on its device, or use a smaller network or another device");
  }
  limit.rows = (rows / limit.unit + 1) / 2 * limit.unit;  // whole sequences
  ++splits_;
  return false;
}

template <typename Call>
void SplittingGradients::InParts(const Minibatch& minibatch, Limit& limit,
                                 const at::Tensor& gradients, const Call& call) {
  const c10::NoGradGuard no_grad;
  at::Tensor sum;
  for (int64_t done = 0; done < minibatch.rows;) {
    const int64_t rows = std::min(limit.rows, minibatch.rows - done);
    const double weight = static_cast<double>(rows) / static_cast<double>(minibatch.rows);
    const bool fits = Fits(rows, limit, [&] {
      if (!sum.defined()) sum = at::zeros_like(gradients);
      const c10::AutoGradMode with_grad(true);
      call(done, rows, weight);
    });
    if (!fits) continue;
    sum.add_(gradients, weight);
    done += rows;
  }
  gradients.copy_(sum);
}

LossTerms SplittingGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  LossTerms terms;
  policy_limit_.unit = minibatch.samples.sequence;
  if (minibatch.rows <= policy_limit_.rows &&
      Fits(minibatch.rows, policy_limit_, [&] { terms = inner_->Policy(minibatch, settings); })) {
    return terms;
  }
  // Mean and deviation are those of the whole minibatch.
  Samples whole = minibatch.samples.Slice(minibatch.start, minibatch.rows);
  LossSettings part_settings = settings;
  if (settings.normalize_advantages) {
    whole.advantages = NormalizedAdvantages(whole.advantages);
    part_settings.normalize_advantages = false;
  }
  terms = {};
  InParts(minibatch, policy_limit_, nets_.gradients().narrow(0, 0, nets_.actor_parameter_count()),
          [&](int64_t start, int64_t rows, double weight) {
            terms += Weighted(inner_->Policy({whole, start, rows}, part_settings), weight);
          });
  return terms;
}

double SplittingGradients::Value(const Minibatch& minibatch, const LossSettings& settings,
                                 double scale) {
  double loss = 0;
  if (minibatch.rows <= value_limit_.rows && Fits(minibatch.rows, value_limit_, [&] {
        loss = inner_->Value(minibatch, settings, scale);
      })) {
    return loss;
  }
  loss = 0;
  const int64_t actor = nets_.actor_parameter_count();
  const int64_t critic = nets_.gradients().numel() - actor;
  InParts(minibatch, value_limit_, nets_.gradients().narrow(0, actor, critic),
          [&](int64_t start, int64_t rows, double weight) {
            const Minibatch part{minibatch.samples, minibatch.start + start, rows};
            loss += weight * inner_->Value(part, settings, scale);
          });
  return loss;
}

std::vector<float> SplittingGradients::Values(const NetInput& input) {
  std::vector<float> values;
  values.reserve(input.rows());
  for (int64_t done = 0; done < input.rows();) {
    const int64_t rows = std::min(values_limit_.rows, input.rows() - done);
    const bool fits = Fits(rows, values_limit_, [&] {
      const std::vector<float> part = inner_->Values(input.Slice(done, rows));
      values.insert(values.end(), part.begin(), part.end());
    });
    if (fits) done += rows;
  }
  return values;
}

}  // namespace dray
