#include "src/learn/learner.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/base/stopwatch.h"
#include "src/config/ppo.h"
#include "src/config/scale.h"
#include "src/learn/cpu/cpu_gradients.h"
#include "src/learn/cpu/host_steps.h"
#include "src/learn/device/device_steps.h"
#include "src/learn/learner_counters.h"
#include "src/nets/memory.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

constexpr double kMostWeight = 1e12;
constexpr int kReturns = 3;  // returns to a good policy, each with half the learning rate
constexpr double kLeastRateFactor = 1.0 / (1 << kReturns);

int Cores() { return std::max(1u, std::thread::hardware_concurrency()); }

ActorCritic MakeNets(const Config& config, const EnvSpec& spec, at::Device device) {
  Rng rng(config.train().seed(), RngPurpose::kInit, 0);
  return ActorCritic(spec, config.network(), rng, device);
}

}  // namespace

std::unique_ptr<Steps> Learner::MakeSteps(const MakeGradients& make_gradients) {
  const bool tunes = config_.scale().learner_threads() == 0;
  if (make_gradients) {
    return std::make_unique<HostSteps>(nets_, make_gradients(nets_, team_), team_, tunes);
  }
  if (!device_.is_cpu()) return std::make_unique<DeviceSteps>(nets_);
  return std::make_unique<HostSteps>(nets_, std::make_unique<CpuGradients>(nets_, team_), team_,
                                     tunes);
}

Learner::Learner(const Config& config, const EnvSpec& spec, at::Device device,
                 const MakeGradients& make_gradients)
    : config_(config),
      spec_(WithMemory(spec, config.network())),
      device_(device),
      nets_(MakeNets(config, spec_, device)),
      team_(MostThreads(config, Cores())),
      steps_(MakeSteps(make_gradients)),
      sample_maker_(config_.ppo(), spec_, nets_, scaling_, *steps_, team_),
      epochs_(config_, nets_, *steps_, team_, heartbeat_),
      observation_moments_(spec_.observation_size),
      return_moments_(1),
      watch_(config.ppo().gamma(), spec.max_episode_steps) {
  if (config.ppo().appraisal_coefficient() > 0 && !spec.appraises) {
    throw UsageError("ppo.appraisal_coefficient: ", spec.name,
                     " does not appraise actions with these settings; set it to 0, or for dvrptw "
                     "set env.dvrptw.appraisal.futures");
  }
  // The work left to the library is too little for its own threads, which would busy-wait for each
  // other.
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

// --- Updates

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
  report.signs.numbers = report.signs.numbers && WeightsAreSane();
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

void Learner::Learn(const std::vector<std::string_view>& batches, double remaining,
                    UpdateReport& report) {
  const Stopwatch merging;
  heartbeat_.Beat("merging batches");
  Merge(batches, report);
  report.merge_s = merging.seconds();

  const Stopwatch learning;
  // Statistics change only between updates: samples are read with those that the shard acted with,
  // unless they lag.
  if (config_.normalize().rewards()) NormalizeRewards(rollout_);
  Samples samples = sample_maker_.Make(rollout_, report);
  samples.sequence = SequenceSteps(config_.network(), rollout_.steps());
  const int64_t splits_before = steps_->splits();
  epochs_.Run(samples, rollout_.envs(), Schedule(remaining), updates_, report);
  report.metrics.Record("memory/learner_splits", steps_->splits() - splits_before);
  if (config_.normalize().observations()) {
    const size_t numbers = rollout_.shape().samples() * spec_.observation_size;
    observation_moments_.Add(std::span<const float>(rollout_.observations).first(numbers));
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip(),
                                        /*unscaled=*/spec_.memory);
  }
  report.learn_s = learning.seconds();
  report.metrics.Record("time/learner_threads", steps_->threads());
}

void Learner::Merge(const std::vector<std::string_view>& batches, UpdateReport& report) {
  if (batches.empty()) throw Failure("an update needs at least one rollout batch");
  const std::vector<BatchReader> readers(batches.begin(), batches.end());
  for (const BatchReader& reader : readers) reader.ExpectOf(spec_);
  int64_t min = version_ - readers[0].origin().policy_version, max = 0;
  double mean = 0;
  const double count = readers.size();
  for (const BatchReader& reader : readers) {
    const int64_t lag = version_ - reader.origin().policy_version;
    min = std::min(min, lag);
    max = std::max(max, lag);
    mean += lag / count;
  }
  report.metrics.Record("lag/min", min);
  report.metrics.Record("lag/mean", mean);
  report.metrics.Record("lag/max", max);
  rollout_.Assign(readers, team_);
}

Scheduled Learner::Schedule(double remaining) const {
  const PpoConfig& ppo = config_.ppo();
  const double factor = ScheduleFactor(ppo.learning_rate_schedule(), remaining);
  return {.learning_rate = rate_factor_ * ppo.learning_rate() * factor,
          .value_learning_rate = rate_factor_ * ValueLearningRate(ppo) * factor,
          .clip = ppo.clip() * ScheduleFactor(ppo.clip_schedule(), remaining)};
}

void Learner::NormalizeRewards(MergedRollout& rollout) {
  return_moments_.Add(rollout.discounted_returns);
  const float scale = 1.0 / std::sqrt(return_moments_.Variance()[0] + 1e-8);
  const float clip = config_.normalize().clip();
  for (float& reward : rollout.rewards) reward = std::clamp(reward * scale, -clip, clip);
}

// --- Divergence

bool Learner::WeightsAreSane() const {
  // On the CPU: a copy takes a GPU less time than a norm.
  const at::Tensor parameters = nets_.parameters().cpu();
  const double most = at::linalg_vector_norm(parameters, INFINITY).item<double>();
  return most <= kMostWeight;  // false for NaN
}

void Learner::MeetDivergence(UpdateReport& report) {
  const std::string what = Describe(report.divergence, report.signs, report.most_credible_value);
  switch (config_.ppo().on_divergence()) {
    case PpoConfig::RESTORE:
      if (rate_factor_ <= kLeastRateFactor) {
        throw Failure("training diverged again after ", kReturns,
                      " returns to a good policy, at update ", updates_, ": ", what,
                      "; lower ppo.learning_rate or set ppo.max_grad_norm");
      }
      RestoreGood();
      report.restored = true;
      return;
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

void Learner::RestoreGood() {
  State good = Read(good_);
  good.version = version_;
  good.updates = updates_;
  good.rate_factor = rate_factor_ / 2;
  Take(std::move(good));
  watch_.Forget();
}

// --- Weights and saved states

std::string Learner::Publish() const { return nets_.Publish(version_, scaling_).ToBytes(); }

std::string Learner::Save() const {
  ByteWriter out;
  LearnerCounters{.version = version_, .updates = updates_}.Save(out);
  nets_.Save(out);
  for (const Optimizer& optimizer : epochs_.optimizers()) optimizer.Save(out);
  observation_moments_.Save(out);
  return_moments_.Save(out);
  out.Put(rate_factor_);
  return out.Take();
}

Learner::State Learner::Read(std::string_view bytes) const {
  ByteReader in(bytes, "the learner's saved state");
  const LearnerCounters counters = LearnerCounters::Load(in);
  State state{.version = counters.version,
              .updates = counters.updates,
              .parameters = at::empty(nets_.parameters().sizes(), at::kFloat),
              .optimizers = {},
              .observation_moments = Moments(spec_.observation_size),
              .return_moments = Moments(1)};
  LoadTensor(in, state.parameters);
  for (const Optimizer& optimizer : epochs_.optimizers()) {
    state.optimizers.push_back(optimizer.Read(in));
  }
  state.observation_moments.Load(in);
  state.return_moments.Load(in);
  // Format 1 ends without a rate factor if that is 1.
  if (counters.format > 1 || !in.AtEnd()) state.rate_factor = in.Get<double>();
  in.ExpectEnd();
  if (!(state.rate_factor > 0 && state.rate_factor <= 1)) {
    throw Failure("the learner's saved state is damaged: rate factor ", state.rate_factor);
  }
  return state;
}

void Learner::TakePolicy(const State& state) {
  const c10::NoGradGuard no_grad;
  nets_.parameters().copy_(state.parameters);
  observation_moments_ = state.observation_moments;
  return_moments_ = state.return_moments;
  if (config_.normalize().observations() && observation_moments_.count() > 0) {
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip());
  }
}

void Learner::Take(State state) {
  TakePolicy(state);
  version_ = state.version;
  updates_ = state.updates;
  rate_factor_ = state.rate_factor;
  for (size_t i = 0; i < state.optimizers.size(); ++i) {
    epochs_.optimizers()[i].Restore(std::move(state.optimizers[i]));
  }
}

void Learner::Load(std::string_view state) {
  Take(Read(state));
  good_.clear();
  watch_.Forget();
}

void Learner::StartFrom(std::string_view state) {
  TakePolicy(Read(state));
  rate_factor_ = 1;
  good_.clear();
  watch_.Forget();
}

}  // namespace dray
