#include "src/learn/epochs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/config/ppo.h"
#include "src/nets/memory.h"

namespace dray {
namespace {

LossSettings LossSettingsOf(const PpoConfig& ppo, double clip) {
  return {.clip = clip,
          .clip_value = ppo.clip_value_loss(),
          .normalize_advantages = ppo.normalize_advantages(),
          .entropy_coefficient = ppo.entropy_coefficient(),
          .policy_coefficient = ppo.policy_coefficient(),
          .appraisal_coefficient = ppo.appraisal_coefficient(),
          .appraisal_temperature = ppo.appraisal_temperature()};
}

}  // namespace

Epochs::Epochs(const Config& config, ActorCritic& nets, Steps& steps, ThreadTeam& team,
               Heartbeat& heartbeat)
    : ppo_(config.ppo()), seed_(config.train().seed()), steps_(steps), heartbeat_(heartbeat) {
  const auto add_optimizer = [&](int64_t start, int64_t length) {
    optimizers_.emplace_back(nets.parameters().narrow(0, start, length),
                             nets.gradients().narrow(0, start, length), ppo_, team);
  };
  const int64_t all = nets.parameters().numel(), actor = nets.actor_parameter_count();
  if (SeparateOptimizers(ppo_)) {
    add_optimizer(0, actor);
    add_optimizer(actor, all - actor);
  } else {
    add_optimizer(0, all);
  }
}

void Epochs::Run(const Samples& samples, int64_t envs, const Scheduled& scheduled, int64_t update,
                 UpdateReport& report) {
  const bool together = optimizers_.size() == 1;
  StepSettings settings{.loss = LossSettingsOf(ppo_, scheduled.clip),
                        .value_scale = together ? ppo_.value_coefficient() : 1,
                        .learning_rate = scheduled.learning_rate};
  report.metrics.Record("train/learning_rate", settings.learning_rate);
  report.metrics.Record("train/clip_range", settings.loss.clip);
  const auto orders_of = [&](int64_t number, bool policy) {
    const uint32_t stream = number;
    return PassOrders::Request{seed_,
                               policy ? stream : ~stream,
                               samples.rows(),
                               policy ? ppo_.policy_epochs() : ValueEpochs(ppo_),
                               samples.sequence,
                               envs};
  };
  minibatch_ = MinibatchRows(ppo_.minibatch_size(), samples.sequence);
  steps_.BeginUpdate(samples);
  const int policy_epochs = Train({together ? Part::kPolicyAndValue : Part::kPolicy, optimizers_[0],
                                   settings, policy_orders_.Take(orders_of(update, true))},
                                  report);
  report.metrics.Record("train/policy_epochs_run", policy_epochs);
  policy_orders_.Prepare(orders_of(update + 1, true));
  if (together) return;
  settings.learning_rate = scheduled.value_learning_rate;
  if (ValueLearningRate(ppo_) != ppo_.learning_rate()) {
    report.metrics.Record("train/value_learning_rate", settings.learning_rate);
  }
  Train({Part::kValue, optimizers_[1], settings, value_orders_.Take(orders_of(update, false))},
        report);
  value_orders_.Prepare(orders_of(update + 1, false));
}

int Epochs::Train(Passes passes, UpdateReport& report) {
  const bool stops_early = passes.part != Part::kValue && ppo_.target_kl() > 0;
  const int epochs = passes.orders.size();
  int epoch = 0;
  while (epoch < epochs) {
    const double kl_before = passes.sums.policy.of[kKlK3], before = passes.minibatches;
    RunEpoch(epoch, passes, report);
    ++epoch;
    if (!stops_early) continue;
    passes.sums += steps_.TakeSums();
    const double kl = (passes.sums.policy.of[kKlK3] - kl_before) / (passes.minibatches - before);
    if (kl > ppo_.target_kl()) break;
  }
  passes.sums += steps_.TakeSums();
  RecordMeans(passes, report);
  return epoch;
}

void Epochs::RunEpoch(int epoch, Passes& passes, UpdateReport& report) {
  std::vector<int64_t>& order = passes.orders[epoch];
  const int64_t rows = order.size();
  steps_.BeginPass(order, minibatch_);
  for (int64_t start = 0; start < rows; start += minibatch_, ++passes.minibatches) {
    heartbeat_.Beat("updating");
    const int64_t taken = std::min(minibatch_, rows - start);
    const bool measures = epoch == 0 && passes.part != Part::kValue;
    passes.settings.adds_to_signal = measures && taken == minibatch_;
    steps_.Step(passes.part, taken, passes.settings, passes.optimizer);
    if (!measures || start > 0) continue;
    // Shard and learner agree if this is nearly 0, for data of the current policy.
    passes.sums += steps_.TakeSums();
    report.metrics.Record("train/first_ratio_error", passes.sums.policy.of[kRatioError]);
  }
}

void Epochs::RecordMeans(const Passes& passes, UpdateReport& report) const {
  const double minibatches = passes.minibatches;
  const auto check = [&report](double mean) {
    report.signs.numbers = report.signs.numbers && std::isfinite(mean);
    return mean;
  };
  if (passes.part != Part::kValue) {
    check(passes.sums.policy.of[kPolicyLoss] / minibatches);
    for (int term = 0; term < kMeanTerms; ++term) {
      const double mean = passes.sums.policy.of[term] / minibatches;
      if (term == kAppraisalLoss && !(mean > 0)) continue;  // nothing is appraised
      report.metrics.Record(kTermMetrics[term], mean);
    }
    report.signs.kl = check(passes.sums.policy.of[kKlK3] / minibatches);
    report.metrics.Record("train/grad_norm", passes.sums.grad_norm / minibatches);
    const double signal = steps_.TakeSignal();
    if (std::isfinite(signal)) report.metrics.Record("train/gradient_signal", signal);
  }
  if (passes.part != Part::kPolicy) {
    report.metrics.Record("train/value_loss", check(passes.sums.value_loss / minibatches));
  }
}

}  // namespace dray
