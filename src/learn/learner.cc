#include "src/learn/learner.h"

#include <ATen/Parallel.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/config/scale.h"
#include "src/learn/cpu_gradients.h"
#include "src/learn/device_steps.h"
#include "src/learn/gradient_signal.h"
#include "src/learn/host_steps.h"

namespace dray {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostWeight = 1e12;
constexpr int kReturns = 3;  // to a good policy, each with half the learning rate
constexpr double kLeastRateFactor = 1.0 / (1 << kReturns);

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ActorCritic MakeNets(const Config& config, const EnvSpec& spec, at::Device device) {
  Rng rng(config.train().seed(), RngPurpose::kInit, 0);
  return ActorCritic(spec, config.network(), rng, device);
}

int ValueEpochs(const PpoConfig& ppo) {
  return ppo.value_epochs() == 0 ? ppo.policy_epochs() : ppo.value_epochs();
}

}  // namespace

std::unique_ptr<Steps> Learner::MakeSteps(const MakeGradients& make_gradients) {
  const bool tunes = config_.scale().learner_threads() == 0;
  if (make_gradients) {
    return std::make_unique<HostSteps>(make_gradients(nets_, team_), team_, tunes);
  }
  if (!device_.is_cpu()) return std::make_unique<DeviceSteps>(nets_);
  return std::make_unique<HostSteps>(std::make_unique<CpuGradients>(nets_, team_), team_, tunes);
}

Learner::Learner(const Config& config, const EnvSpec& spec, at::Device device,
                 const MakeGradients& make_gradients)
    : config_(config),
      spec_(spec),
      device_(device),
      nets_(MakeNets(config, spec, device)),
      team_(
          MostThreads(config, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())))),
      steps_(MakeSteps(make_gradients)),
      sample_maker_(config_.ppo(), spec_, nets_, scaling_, *steps_),
      observation_moments_(spec.observation_size),
      return_moments_(1),
      watch_(config.ppo().gamma(), spec.max_episode_steps) {
  if (config.ppo().appraisal_coefficient() > 0 && !spec.appraises) {
    throw UsageError("ppo.appraisal_coefficient: ", spec.name,
                     " does not appraise actions with these settings; set it to 0, or for dvrptw "
                     "set env.dvrptw.appraisal.futures");
  }
  const auto add_optimizer = [&](int64_t start, int64_t length) {
    optimizers_.emplace_back(nets_.parameters().narrow(0, start, length),
                             nets_.gradients().narrow(0, start, length), config.ppo(), team_);
  };
  const int64_t all = nets_.parameters().numel(), actor = nets_.actor_parameter_count();
  if (ValueEpochs(config.ppo()) == config.ppo().policy_epochs()) {
    add_optimizer(0, all);
  } else {
    add_optimizer(0, actor);
    add_optimizer(actor, all - actor);
  }
  // What the team does not do is too little for the library's own threads, which would wait for
  // each other actively.
  at::set_num_threads(1);
}

int Learner::MostThreads(const Config& config, int cores) {
  const ScaleConfig& scale = config.scale();
  if (scale.learner_threads() > 0) return scale.learner_threads();
  if (config.ppo().max_policy_lag() == 0) return cores;
  const int each = EnvsPerShard(scale);
  const int shards =
      scale.num_workers() > 0 ? scale.num_workers() : (scale.num_envs() + each - 1) / each;
  return std::max(1, cores - (scale.threads() > 0 ? std::min(scale.threads(), shards) : shards));
}

UpdateReport Learner::Update(const std::vector<std::string_view>& batches, double remaining) {
  const bool restores = config_.ppo().on_divergence() == PpoConfig::RESTORE;
  if (restores && good_.empty()) good_ = Save();
  UpdateReport report;
  try {
    Learn(batches, remaining, report);
  } catch (const GradientNotFinite&) {
    if (!restores) throw;
    report.signs.numbers = false;
  }
  report.signs.numbers = report.signs.numbers && std::isfinite(report.policy_loss) &&
                         std::isfinite(report.value_loss) && std::isfinite(report.kl_k3) &&
                         WeightsAreSane();
  report.divergence = watch_.See(report.signs);
  report.most_credible_value = watch_.most_credible_value();
  ++updates_;
  ++version_;
  if (watch_.diverged()) {
    MeetDivergence(report);
  } else if (restores && report.divergence == Divergence::kNone) {
    good_ = Save();
  }
  report.version = version_;
  heartbeat_.Beat("resting");
  return report;
}

bool Learner::WeightsAreSane() const {
  const double most = at::linalg_vector_norm(nets_.parameters(), INFINITY).item<double>();
  return most <= kMostWeight;  // not a number: no
}

void Learner::MeetDivergence(UpdateReport& report) {
  const std::string what = Describe(report.divergence, report.signs, report.most_credible_value);
  switch (config_.ppo().on_divergence()) {
    case PpoConfig::RESTORE:
      if (rate_factor_ > kLeastRateFactor) return Restore(report);
      throw Failure("training diverged again after ", kReturns,
                    " returns to a good policy, at update ", updates_, ": ", what,
                    "; lower ppo.learning_rate or set ppo.max_grad_norm");
    case PpoConfig::WARN:
      if (report.divergence != Divergence::kNotNumbers) return;
      [[fallthrough]];
    case PpoConfig::STOP:
      throw Failure("training diverged at update ", updates_, ": ", what,
                    "; lower ppo.learning_rate or set ppo.max_grad_norm, and start from the newest "
                    "checkpoint, which is from before (run.init_from), or set ppo.on_divergence to "
                    "restore");
  }
}

void Learner::Restore(UpdateReport& report) {
  const int64_t version = version_, updates = updates_;
  const double factor = rate_factor_ / 2;
  LoadState(good_);
  version_ = version;
  updates_ = updates;
  rate_factor_ = factor;
  watch_.Forget();
  report.restored = true;
}

void Learner::Learn(const std::vector<std::string_view>& batches, double remaining,
                    UpdateReport& report) {
  const PpoConfig& ppo = config_.ppo();
  const auto start = Clock::now();
  heartbeat_.Beat("merging batches");
  if (batches.empty()) throw Failure("an update needs at least one rollout batch");
  std::vector<BatchReader> readers(batches.begin(), batches.end());
  for (const BatchReader& reader : readers) reader.ExpectOf(spec_);
  report.lag_min = version_ - readers[0].origin().policy_version;
  for (const BatchReader& reader : readers) {
    const int64_t lag = version_ - reader.origin().policy_version;
    report.lag_min = std::min(report.lag_min, lag);
    report.lag_max = std::max(report.lag_max, lag);
    report.lag_mean += static_cast<double>(lag) / static_cast<double>(readers.size());
  }
  MergedRollout rollout(readers);
  report.merge_s = SecondsSince(start);

  const auto learning = Clock::now();
  report.learning_rate = rate_factor_ * ppo.learning_rate() *
                         (ppo.learning_rate_schedule() == LINEAR ? remaining : 1.0);
  report.clip_range = ppo.clip() * (ppo.clip_schedule() == LINEAR ? remaining : 1.0);
  // Statistics change between updates alone: what a shard acted with is what its samples are read
  // with, unless they lag.
  if (config_.normalize().rewards()) NormalizeRewards(rollout);
  const Samples samples = sample_maker_.Make(rollout, report);
  const int64_t splits_before = steps_->splits();
  Train(samples, report);
  report.splits = steps_->splits() - splits_before;
  if (config_.normalize().observations()) {
    observation_moments_.Add(
        std::span<const float>(rollout.observations)
            .first(static_cast<size_t>(rollout.shape().samples()) * spec_.observation_size));
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip());
  }
  report.learn_s = SecondsSince(learning);
  report.threads = steps_->threads();
}

void Learner::NormalizeRewards(MergedRollout& rollout) {
  return_moments_.Add(rollout.discounted_returns);
  const float scale = 1.0 / std::sqrt(return_moments_.Variance()[0] + 1e-8);
  const float clip = config_.normalize().clip();
  for (float& reward : rollout.rewards) reward = std::clamp(reward * scale, -clip, clip);
}

void Learner::Train(const Samples& samples, UpdateReport& report) {
  const PpoConfig& ppo = config_.ppo();
  const uint32_t update = updates_;
  Rng rng(config_.train().seed(), RngPurpose::kMinibatch, update);
  steps_->BeginUpdate(samples);
  if (optimizers_.size() == 1) {
    report.policy_epochs_run = TrainEpochs(Part::kPolicyAndValue, ppo.policy_epochs(),
                                           optimizers_[0], samples, rng, report);
    return;
  }
  report.policy_epochs_run =
      TrainEpochs(Part::kPolicy, ppo.policy_epochs(), optimizers_[0], samples, rng, report);
  Rng value_rng(config_.train().seed(), RngPurpose::kMinibatch, uint32_t{~update});
  TrainEpochs(Part::kValue, ValueEpochs(ppo), optimizers_[1], samples, value_rng, report);
}

int Learner::TrainEpochs(Part part, int epochs, Optimizer& optimizer, const Samples& samples,
                         Rng& rng, UpdateReport& report) {
  const PpoConfig& ppo = config_.ppo();
  const StepSettings settings{.loss = {.clip = report.clip_range,
                                       .clip_value = ppo.clip_value_loss(),
                                       .normalize_advantages = ppo.normalize_advantages(),
                                       .entropy_coefficient = ppo.entropy_coefficient(),
                                       .policy_coefficient = ppo.policy_coefficient(),
                                       .appraisal_coefficient = ppo.appraisal_coefficient(),
                                       .appraisal_temperature = ppo.appraisal_temperature()},
                              .value_scale = optimizers_.size() == 1 ? ppo.value_coefficient() : 1,
                              .learning_rate = report.learning_rate};
  const int64_t rows = samples.rows();
  std::vector<int64_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  StepSums sums;
  GradientSignal signal;
  double minibatches = 0;
  int epoch = 0;
  while (epoch < epochs) {
    rng.Shuffle(std::span(order));
    steps_->BeginPass(order);
    const double kl_before = sums.policy.kl_k3, minibatches_before = minibatches;
    for (int64_t start = 0; start < rows; start += ppo.minibatch_size(), ++minibatches) {
      heartbeat_.Beat("updating");
      const int64_t taken = std::min<int64_t>(ppo.minibatch_size(), rows - start);
      steps_->Step(part, taken, settings, optimizer);
      if (part == Part::kValue || epoch > 0) continue;
      if (minibatches == 0) {
        sums += steps_->TakeSums();
        report.first_ratio_error = sums.policy.ratio_error;
      }
      if (taken == ppo.minibatch_size()) {
        signal.Add(nets_.gradients().narrow(0, 0, nets_.actor_parameter_count()));
      }
    }
    ++epoch;
    if (part == Part::kValue || ppo.target_kl() <= 0) continue;
    sums += steps_->TakeSums();
    const double kl = (sums.policy.kl_k3 - kl_before) / (minibatches - minibatches_before);
    if (kl > ppo.target_kl()) break;
  }
  sums += steps_->TakeSums();
  if (part != Part::kValue) {
    report.policy_loss = sums.policy.loss / minibatches;
    report.entropy = sums.policy.entropy / minibatches;
    report.kl_k1 = sums.policy.kl_k1 / minibatches;
    report.kl_k3 = sums.policy.kl_k3 / minibatches;
    report.signs.kl = report.kl_k3;
    report.clip_fraction = sums.policy.clip_fraction / minibatches;
    report.appraisal_loss = sums.policy.appraisal_loss / minibatches;
    report.grad_norm = sums.grad_norm / minibatches;
    report.gradient_signal = signal.share();
  }
  if (part != Part::kPolicy) report.value_loss = sums.value_loss / minibatches;
  return epoch;
}

std::string Learner::Publish() const { return nets_.Publish(version_, scaling_).ToBytes(); }

std::string Learner::Save() const {
  ByteWriter out;
  out.Put(version_);
  out.Put(updates_);
  nets_.Save(out);
  for (const Optimizer& optimizer : optimizers_) optimizer.Save(out);
  observation_moments_.Save(out);
  return_moments_.Save(out);
  if (rate_factor_ != 1) out.Put(rate_factor_);
  return out.Take();
}

void Learner::Load(std::string_view state) {
  LoadState(state);
  good_.clear();
  watch_.Forget();
}

void Learner::LoadState(std::string_view state) {
  ByteReader in(state, "the learner's saved state");
  const auto version = in.Get<int64_t>();
  const auto updates = in.Get<int64_t>();
  if (!IsCount(version) || !IsCount(updates)) {
    throw Failure("the learner's saved state is damaged: version ", version, " after ", updates,
                  " updates");
  }
  version_ = version;
  updates_ = updates;
  nets_.Load(in);
  for (Optimizer& optimizer : optimizers_) optimizer.Load(in);
  observation_moments_.Load(in);
  return_moments_.Load(in);
  rate_factor_ = in.AtEnd() ? 1 : in.Get<double>();
  in.ExpectEnd();
  if (config_.normalize().observations() && observation_moments_.count() > 0) {
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip());
  }
}

void Learner::StartFrom(std::string_view state) {
  const int64_t version = version_, updates = updates_;
  ByteWriter own;
  for (const Optimizer& optimizer : optimizers_) optimizer.Save(own);
  Load(state);
  version_ = version;
  updates_ = updates;
  rate_factor_ = 1;
  ByteReader in(own.bytes(), "the optimisers' own state");
  for (Optimizer& optimizer : optimizers_) optimizer.Load(in);
}

}  // namespace dray
