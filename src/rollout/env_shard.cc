#include "src/rollout/env_shard.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/stopwatch.h"
#include "src/env/registry.h"
#include "src/env/step_check.h"
#include "src/metrics/table.h"
#include "src/nets/memory.h"
#include "src/nets/sampling.h"

namespace dray {
namespace {

// A run has at most 2^16 environments, and the index of a stream has 32 bits.
uint64_t FirstStream(const ShardPlace& place) {
  const uint64_t replacement = place.replacement % (1 << 16), first_env = place.first_env;
  return (replacement << 16) + first_env;
}

// Tells environments that a rollout has ended, also if it failed.
struct RolloutEnd {
  ~RolloutEnd() { envs.OnRolloutEnd(); }
  BatchEnv& envs;
};

}  // namespace

EnvShard::EnvShard(const Config& config, const ShardPlace& place, int rollout_steps,
                   const EnvMaker& make_envs)
    : place_(place),
      steps_(rollout_steps),
      gamma_(config.ppo().gamma()),
      envs_(make_envs(config.env(),
                      {config.train().seed(), RngPurpose::kEnvironment, FirstStream(place)},
                      place.envs)),
      spec_(WithMemory(envs_->spec(), config.network())),
      policy_(spec_, config.network()) {
  const BatchShape shape = BatchShape::Of(spec_, steps_, place.envs);
  const size_t n = place.envs;
  for (size_t i = 0; i < n; ++i) {
    start_.action_rngs.emplace_back(config.train().seed(), RngPurpose::kAction,
                                    FirstStream(place) + i);
  }
  start_.observations.resize(n * shape.observation_size);
  start_.masks.resize(n * shape.mask_size);
  start_.bags.resize(n * shape.bag.indices());
  start_.joined.resize(n);
  start_.discounted_returns.resize(n);
  final_observations_.resize(n * shape.observation_size);
  const auto seen = std::span(start_.observations).first(n * envs_->spec().observation_size);
  envs_->Reset(seen, start_.masks, start_.bags);
  CheckReset(envs_->spec(), seen, start_.masks, place_.first_env);
  policy_.Resume(start_.joined);
  policy_.AddMemory(start_.observations);
}

Rollout EnvShard::Collect(std::string_view weights, const RolloutContext& context) {
  auto batch = std::make_shared<Blob>();
  RolloutSummary summary = CollectInto(*batch, weights, context);
  return {std::move(batch), std::move(summary)};
}

RolloutSummary EnvShard::CollectInto(ByteSink& out, std::string_view weights,
                                     const RolloutContext& context) {
  const Stopwatch watch;
  heartbeat_.Beat("loading weights");
  policy_.Load(weights);
  RolloutSummary summary;
  summary.weights_loaded_unix_s = UnixSeconds();
  policy_.Resume(start_.joined);
  const RolloutEnd end{*envs_};
  envs_->OnRollout(context);
  BatchWriter batch(BatchShape::Of(spec_, steps_, place_.envs), &out);
  auto& columns = batch.columns();
  std::ranges::copy(start_.observations, columns.observations.begin());
  std::ranges::copy(start_.masks, columns.masks.begin());
  std::ranges::copy(start_.bags, columns.bags.begin());
  for (size_t i = 0; i < start_.joined.size(); ++i) {
    if (!start_.joined[i].empty()) batch.AddJoinedBefore(i, start_.joined[i]);
  }
  for (int t = 0; t < steps_; ++t) {
    heartbeat_.Beat("stepping environments");
    Act(columns, t);
    Appraise(columns, t);
    StepEnvs(batch, t);
    AddJoined(columns, t);
    AddReturns(columns, t);
  }
  std::ranges::copy(columns.observations.last(start_.observations.size()),
                    start_.observations.begin());
  std::ranges::copy(columns.masks.last(start_.masks.size()), start_.masks.begin());
  std::ranges::copy(columns.bags.last(start_.bags.size()), start_.bags.begin());
  summary.origin = {policy_.version(), place_.shard, place_.first_env};
  summary.steps = batch.shape().samples();
  summary.episodes = envs_->TakeEpisodes();
  summary.side_samples = envs_->TakeSideSamples();
  RecordMetrics(watch.seconds(), summary.metrics);
  batch.Finish(summary.origin);
  heartbeat_.Beat("resting");
  return summary;
}

void EnvShard::RecordMetrics(double rollout_s, Report& metrics) {
  const ServiceUse service = envs_->TakeServiceUse();
  metrics.Record("time/shards_s", rollout_s);
  metrics.Record("time/oracle_s", service.seconds);
  metrics.Record("memory/oracle_splits", service.splits);
  const std::vector<RolloutStat>& names = envs_->spec().rollout_stats;
  const std::vector<double> stats = envs_->TakeRolloutStats();
  DRAY_CHECK_EQ(stats.size(), names.size());
  for (size_t i = 0; i < stats.size(); ++i) {
    metrics.Record(Cat(kRolloutStatPrefix, names[i].name), stats[i]);
  }
}

void EnvShard::Act(BatchColumns<MutableSpan>& columns, int step) {
  const size_t n = place_.envs;
  const size_t row = step * n;
  const auto outputs = policy_.Outputs(
      columns.observations.subspan(step * start_.observations.size(), start_.observations.size()),
      columns.bags.subspan(step * start_.bags.size(), start_.bags.size()));
  const size_t width = outputs.size() / n;
  const size_t mask_width = start_.masks.size() / n;
  for (size_t i = 0; i < n; ++i) {
    const auto output = outputs.subspan(i * width, width);
    if (envs_->spec().actions.discrete()) {
      const auto mask = columns.masks.subspan((row + i) * mask_width, mask_width);
      const Draw draw = DrawCategorical(output, mask, start_.action_rngs[i]);
      columns.action_indices[row + i] = draw.action;
      columns.log_probs[row + i] = draw.log_prob;
    } else {
      columns.log_probs[row + i] =
          DrawGaussian(output, policy_.log_std(), start_.action_rngs[i],
                       columns.action_values.subspan((row + i) * width, width));
    }
  }
}

void EnvShard::Appraise(BatchColumns<MutableSpan>& columns, int step) {
  if (!envs_->spec().appraises) return;
  const size_t width = place_.envs * envs_->spec().actions.outputs();
  envs_->Appraise(columns.appraisals.subspan(step * width, width));
}

void EnvShard::StepEnvs(BatchWriter& batch, int step) {
  auto& columns = batch.columns();
  const size_t n = place_.envs;
  const size_t row = step * n;
  // The batch keeps actions as drawn; environments clip them to their box.
  Actions actions;
  if (envs_->spec().actions.discrete()) {
    actions.indices = columns.action_indices.subspan(row, n);
  } else {
    const size_t values = envs_->spec().actions.low.size();
    actions.values = columns.action_values.subspan(row * values, n * values);
  }
  StepSlots slots;
  const auto next = columns.observations.subspan((step + 1) * start_.observations.size(),
                                                 start_.observations.size());
  const size_t seen = n * envs_->spec().observation_size;
  slots.observations = next.first(seen);
  slots.masks = columns.masks.subspan((step + 1) * start_.masks.size(), start_.masks.size());
  slots.rewards = columns.rewards.subspan(row, n);
  slots.terminated = columns.terminated.subspan(row, n);
  slots.truncated = columns.truncated.subspan(row, n);
  slots.final_observations = std::span(final_observations_).first(seen);
  slots.bags = columns.bags.subspan((step + 1) * start_.bags.size(), start_.bags.size());
  envs_->Step(actions, slots);
  CheckStep(envs_->spec(), slots, place_.first_env, step);
  policy_.AddMemory(final_observations_);
  const size_t width = start_.observations.size() / n;
  for (size_t i = 0; i < n; ++i) {
    if (slots.terminated[i] || slots.truncated[i]) policy_.BeginEpisode(i);
    if (slots.truncated[i] && !slots.terminated[i]) {
      // The bag of the final state is not kept, so the state could not be valued.
      DRAY_CHECK(start_.bags.empty());
      batch.AddCutEpisode(row + i, std::span(final_observations_).subspan(i * width, width));
    }
  }
  policy_.AddMemory(next);
}

void EnvShard::AddJoined(const BatchColumns<MutableSpan>& columns, int step) {
  if (start_.bags.empty()) return;
  const BagSpec& bag = envs_->spec().bag;
  const size_t own = bag.own, joining = bag.joining;
  for (size_t i = 0; i < start_.joined.size(); ++i) {
    const size_t row = step * start_.joined.size() + i;
    if (columns.terminated[row] || columns.truncated[row]) {
      start_.joined[i].clear();
    } else {
      const auto added = columns.bags.subspan(row * (own + joining) + own, joining);
      start_.joined[i].insert(start_.joined[i].end(), added.begin(), added.end());
    }
  }
}

void EnvShard::AddReturns(BatchColumns<MutableSpan>& columns, int step) {
  const size_t row = step * start_.discounted_returns.size();
  for (size_t i = 0; i < start_.discounted_returns.size(); ++i) {
    float& running = start_.discounted_returns[i];
    running = gamma_ * running + columns.rewards[row + i];
    columns.discounted_returns[row + i] = running;
    if (columns.terminated[row + i] || columns.truncated[row + i]) running = 0;
  }
}

std::string EnvShard::Save() const {
  ByteWriter out;
  envs_->Save(out);
  for (const Rng& rng : start_.action_rngs) rng.Save(out);
  out.PutVector(start_.observations);
  out.PutVector(start_.masks);
  out.PutVector(start_.bags);
  for (const std::vector<int16_t>& joined : start_.joined) out.PutVector(joined);
  out.PutVector(start_.discounted_returns);
  return out.Take();
}

void EnvShard::Load(std::string_view state) {
  ByteReader in(state, Cat("the saved state of shard ", place_.shard));
  ByteWriter before;
  envs_->Save(before);
  try {
    envs_->Load(in);
    start_ = ReadStart(in);
  } catch (...) {
    ByteReader back(before.bytes(), "the state of the environments before");
    envs_->Load(back);
    throw;
  }
}

EnvShard::Start EnvShard::ReadStart(ByteReader& in) const {
  Start start = start_;
  for (Rng& rng : start.action_rngs) rng.Load(in);
  in.GetInto<float>(start.observations);
  in.GetInto<uint8_t>(start.masks);
  in.GetInto<int16_t>(start.bags);
  for (std::vector<int16_t>& joined : start.joined) joined = in.GetVector<int16_t>();
  in.GetInto<float>(start.discounted_returns);
  in.ExpectEnd();
  if (!MakesSense(start)) {
    throw Failure("the saved state of shard ", place_.shard,
                  " is damaged: the observations that its next rollout starts from");
  }
  return start;
}

// A rollout uses indices of bags unchecked, and draws an action from each mask.
bool EnvShard::MakesSense(const Start& start) const {
  const EnvSpec& spec = envs_->spec();
  const auto within = [&](int16_t index) { return index >= -1 && index < spec.bag.width; };
  const auto finite = [](float value) { return std::isfinite(value); };
  const size_t most_joined = size_t{1} * spec.max_episode_steps * spec.bag.joining;
  const auto sound = [&](const std::vector<int16_t>& joined) {
    return joined.size() <= most_joined && std::ranges::all_of(joined, within);
  };
  const size_t n = place_.envs, width = start.masks.size() / n;
  for (size_t i = 0; i < n && spec.masked; ++i) {
    const auto mask = std::span(start.masks).subspan(i * width, width);
    if (std::ranges::all_of(mask, [](uint8_t allowed) { return allowed == 0; })) return false;
  }
  return std::ranges::all_of(start.observations, finite) &&
         std::ranges::all_of(start.discounted_returns, finite) &&
         std::ranges::all_of(start.bags, within) && std::ranges::all_of(start.joined, sound);
}

}  // namespace dray
