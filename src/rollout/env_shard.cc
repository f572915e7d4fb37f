#include "src/rollout/env_shard.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>
#include <utility>

#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/env/step_check.h"
#include "src/metrics/table.h"
#include "src/nets/sampling.h"

namespace dray {
namespace {

// A run has at most 2^16 environments, and a stream's index 32 bits.
uint64_t FirstStream(const ShardPlace& place) {
  return (static_cast<uint64_t>(place.replacement % (1 << 16)) << 16) +
         static_cast<uint64_t>(place.first_env);
}

// Tells environments of the end of a rollout, whatever ends it.
struct RolloutEnd {
  ~RolloutEnd() { envs.OnRolloutEnd(); }
  BatchEnv& envs;
};

}  // namespace

EnvShard::EnvShard(const Config& config, const ShardPlace& place, int rollout_steps,
                   const EnvMaker& make_envs)
    : place_(place),
      steps_(rollout_steps),
      gamma_(static_cast<float>(config.ppo().gamma())),
      envs_(make_envs(config.env(),
                      {config.train().seed(), RngPurpose::kEnvironment, FirstStream(place)},
                      place.envs)),
      policy_(envs_->spec(), config.network()) {
  const BatchShape shape = BatchShape::Of(envs_->spec(), steps_, place.envs);
  const size_t n = place.envs;
  for (size_t i = 0; i < n; ++i) {
    action_rngs_.emplace_back(config.train().seed(), RngPurpose::kAction, FirstStream(place) + i);
  }
  observations_.resize(n * shape.observation_size);
  masks_.resize(n * shape.mask_size);
  bags_.resize(n * static_cast<size_t>(shape.bag.indices()));
  joined_.resize(n);
  discounted_returns_.resize(n);
  final_observations_.resize(n * shape.observation_size);
  envs_->Reset(observations_, masks_, bags_);
  CheckReset(envs_->spec(), observations_, masks_, place_.first_env);
}

Rollout EnvShard::Collect(std::string_view weights, const RolloutContext& context) {
  auto batch = std::make_shared<Blob>();
  RolloutSummary summary = CollectInto(*batch, weights, context);
  return {std::move(batch), std::move(summary)};
}

RolloutSummary EnvShard::CollectInto(ByteSink& out, std::string_view weights,
                                     const RolloutContext& context) {
  const auto start = std::chrono::steady_clock::now();
  heartbeat_.Beat("loading weights");
  policy_.Load(weights);
  RolloutSummary summary;
  summary.weights_loaded_unix_s = UnixSeconds();
  policy_.Resume(joined_);
  const RolloutEnd end{*envs_};
  envs_->OnRollout(context);
  BatchWriter batch(BatchShape::Of(envs_->spec(), steps_, place_.envs), &out);
  auto& columns = batch.columns();
  std::ranges::copy(observations_, columns.observations.begin());
  std::ranges::copy(masks_, columns.masks.begin());
  std::ranges::copy(bags_, columns.bags.begin());
  for (size_t i = 0; i < joined_.size(); ++i) {
    if (!joined_[i].empty()) batch.AddJoinedBefore(static_cast<int>(i), joined_[i]);
  }
  for (int t = 0; t < steps_; ++t) {
    heartbeat_.Beat("stepping environments");
    Act(columns, t);
    Appraise(columns, t);
    StepEnvs(batch, t);
    AddJoined(columns, t);
    AddReturns(columns, t);
  }
  std::ranges::copy(columns.observations.last(observations_.size()), observations_.begin());
  std::ranges::copy(columns.masks.last(masks_.size()), masks_.begin());
  std::ranges::copy(columns.bags.last(bags_.size()), bags_.begin());
  summary.origin = {policy_.version(), place_.shard, place_.first_env};
  summary.steps = batch.shape().samples();
  summary.episodes = envs_->TakeEpisodes();
  summary.side_samples = envs_->TakeSideSamples();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordMetrics(took.count(), summary.metrics);
  batch.Finish(summary.origin);
  heartbeat_.Beat("resting");
  return summary;
}

void EnvShard::RecordMetrics(double rollout_s, Report& metrics) {
  const ServiceUse service = envs_->TakeServiceUse();
  metrics.Record("time/shards_s", rollout_s);
  metrics.Record("time/oracle_s", service.seconds);
  metrics.Record("memory/oracle_splits", static_cast<double>(service.splits));
  const std::vector<RolloutStat>& names = envs_->spec().rollout_stats;
  const std::vector<double> stats = envs_->TakeRolloutStats();
  DRAY_CHECK_EQ(stats.size(), names.size());
  for (size_t i = 0; i < stats.size(); ++i) {
    metrics.Record(Cat(kRolloutStatPrefix, names[i].name), stats[i]);
  }
}

void EnvShard::Act(BatchColumns<MutableSpan>& columns, int step) {
  const size_t n = place_.envs;
  const size_t row = static_cast<size_t>(step) * n;
  const auto outputs = policy_.Outputs(
      columns.observations.subspan(step * observations_.size(), observations_.size()),
      columns.bags.subspan(step * bags_.size(), bags_.size()));
  const size_t width = outputs.size() / n;
  const size_t mask_width = masks_.size() / n;
  for (size_t i = 0; i < n; ++i) {
    const auto output = outputs.subspan(i * width, width);
    if (envs_->spec().actions.discrete()) {
      const auto mask = columns.masks.subspan((row + i) * mask_width, mask_width);
      const Draw draw = DrawCategorical(output, mask, action_rngs_[i]);
      columns.action_indices[row + i] = draw.action;
      columns.log_probs[row + i] = draw.log_prob;
    } else {
      columns.log_probs[row + i] =
          DrawGaussian(output, policy_.log_std(), action_rngs_[i],
                       columns.action_values.subspan((row + i) * width, width));
    }
  }
}

void EnvShard::Appraise(BatchColumns<MutableSpan>& columns, int step) {
  if (!envs_->spec().appraises) return;
  const size_t width = place_.envs * envs_->spec().actions.outputs();
  envs_->Appraise(columns.appraisals.subspan(static_cast<size_t>(step) * width, width));
}

void EnvShard::StepEnvs(BatchWriter& batch, int step) {
  auto& columns = batch.columns();
  const size_t n = place_.envs;
  const size_t row = static_cast<size_t>(step) * n;
  // The batch keeps actions as drawn; environments clip them to their box.
  Actions actions;
  if (envs_->spec().actions.discrete()) {
    actions.indices = columns.action_indices.subspan(row, n);
  } else {
    const size_t values = envs_->spec().actions.low.size();
    actions.values = columns.action_values.subspan(row * values, n * values);
  }
  StepSlots slots;
  slots.observations =
      columns.observations.subspan((step + 1) * observations_.size(), observations_.size());
  slots.masks = columns.masks.subspan((step + 1) * masks_.size(), masks_.size());
  slots.rewards = columns.rewards.subspan(row, n);
  slots.terminated = columns.terminated.subspan(row, n);
  slots.truncated = columns.truncated.subspan(row, n);
  slots.final_observations = final_observations_;
  slots.bags = columns.bags.subspan((step + 1) * bags_.size(), bags_.size());
  envs_->Step(actions, slots);
  CheckStep(envs_->spec(), slots, place_.first_env, step);
  const size_t width = observations_.size() / n;
  for (size_t i = 0; i < n; ++i) {
    if (slots.truncated[i] && !slots.terminated[i]) {
      // The bag of the state where the clock stopped is not kept, and so could not be valued.
      DRAY_CHECK(bags_.empty());
      batch.AddCutEpisode(static_cast<int64_t>(row + i),
                          std::span(final_observations_).subspan(i * width, width));
    }
  }
}

void EnvShard::AddJoined(const BatchColumns<MutableSpan>& columns, int step) {
  if (bags_.empty()) return;
  const BagSpec& bag = envs_->spec().bag;
  const auto own = static_cast<size_t>(bag.own), joining = static_cast<size_t>(bag.joining);
  for (size_t i = 0; i < joined_.size(); ++i) {
    const size_t row = static_cast<size_t>(step) * joined_.size() + i;
    if (columns.terminated[row] || columns.truncated[row]) {
      joined_[i].clear();
      policy_.BeginEpisode(i);
    } else {
      const auto added = columns.bags.subspan(row * (own + joining) + own, joining);
      joined_[i].insert(joined_[i].end(), added.begin(), added.end());
    }
  }
}

void EnvShard::AddReturns(BatchColumns<MutableSpan>& columns, int step) {
  const size_t row = static_cast<size_t>(step) * discounted_returns_.size();
  for (size_t i = 0; i < discounted_returns_.size(); ++i) {
    float& running = discounted_returns_[i];
    running = gamma_ * running + columns.rewards[row + i];
    columns.discounted_returns[row + i] = running;
    if (columns.terminated[row + i] || columns.truncated[row + i]) running = 0;
  }
}

std::string EnvShard::Save() const {
  ByteWriter out;
  envs_->Save(out);
  for (const Rng& rng : action_rngs_) rng.Save(out);
  out.PutVector(observations_);
  out.PutVector(masks_);
  out.PutVector(bags_);
  for (const std::vector<int16_t>& joined : joined_) out.PutVector(joined);
  out.PutVector(discounted_returns_);
  return out.Take();
}

void EnvShard::Load(std::string_view state) {
  ByteReader in(state, Cat("the saved state of shard ", place_.shard));
  envs_->Load(in);
  for (Rng& rng : action_rngs_) rng.Load(in);
  // What cannot be loaded leaves these as they were: a rollout follows them without a further look.
  const auto before = std::tuple(observations_, masks_, bags_, joined_, discounted_returns_);
  try {
    LoadStart(in);
  } catch (const Error&) {
    std::tie(observations_, masks_, bags_, joined_, discounted_returns_) = before;
    throw;
  }
}

void EnvShard::LoadStart(ByteReader& in) {
  in.GetInto<float>(observations_);
  in.GetInto<uint8_t>(masks_);
  in.GetInto<int16_t>(bags_);
  for (std::vector<int16_t>& joined : joined_) joined = in.GetVector<int16_t>();
  in.GetInto<float>(discounted_returns_);
  in.ExpectEnd();
  if (!LoadedMakesSense()) {
    throw Failure("the saved state of shard ", place_.shard,
                  " is damaged: the observations that its next rollout starts from");
  }
}

// Bags are followed without a further look, and of each mask one action is drawn.
bool EnvShard::LoadedMakesSense() const {
  const EnvSpec& spec = envs_->spec();
  const size_t n = place_.envs;
  const auto within = [&](int16_t index) { return index >= -1 && index < spec.bag.width; };
  const auto finite = [](float value) { return std::isfinite(value); };
  const auto sound = [&](const std::vector<int16_t>& joined) {
    return joined.size() <= static_cast<size_t>(spec.max_episode_steps) * spec.bag.joining &&
           std::ranges::all_of(joined, within);
  };
  for (size_t i = 0; i < n && spec.masked; ++i) {
    const auto mask = std::span(masks_).subspan(i * masks_.size() / n, masks_.size() / n);
    if (std::ranges::all_of(mask, [](uint8_t allowed) { return allowed == 0; })) return false;
  }
  return std::ranges::all_of(observations_, finite) &&
         std::ranges::all_of(discounted_returns_, finite) && std::ranges::all_of(bags_, within) &&
         std::ranges::all_of(joined_, sound);
}

}  // namespace dray
