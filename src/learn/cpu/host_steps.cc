#include "src/learn/cpu/host_steps.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <utility>

#include "src/base/stopwatch.h"

namespace dray {

HostSteps::HostSteps(const ActorCritic& nets, std::unique_ptr<Gradients> gradients,
                     ThreadTeam& team, bool tunes)
    : actor_gradients_(nets.gradients().narrow(0, 0, nets.actor_parameter_count())),
      signal_(actor_gradients_),
      gradients_(std::move(gradients)),
      team_(team) {
  if (tunes) tuners_.assign(3, ThreadTuner(team_.most_threads()));
}

void HostSteps::BeginPass(std::span<int64_t> order, int64_t minibatch) {
  shuffled_ = samples_->Rows(
      at::from_blob(order.data(), {std::ssize(order)}, at::kLong).to(samples_->log_probs.device()));
  next_ = 0;
  minibatch_ = std::min(minibatch, std::ssize(order));
}

void HostSteps::Step(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer) {
  const Stopwatch watch;
  ThreadTuner* tuner = tuners_.empty() ? nullptr : &tuners_[static_cast<size_t>(part)];
  if (tuner) team_.Use(tuner->threads());
  const Minibatch minibatch{shuffled_, std::exchange(next_, next_ + rows), rows};
  if (part != Part::kValue) sums_.policy += gradients_->Policy(minibatch, settings.loss);
  if (part != Part::kPolicy && settings.value_scale > 0) {
    sums_.value_loss += gradients_->Value(minibatch, settings.loss, settings.value_scale);
  }
  sums_.grad_norm += optimizer.Step(settings.learning_rate);
  if (settings.adds_to_signal) signal_.Add(actor_gradients_);
  if (tuner && rows == minibatch_) tuner->Took(watch.seconds());
}

StepSums HostSteps::TakeSums() { return std::exchange(sums_, {}); }

}  // namespace dray
