#include "src/rollout/rollout_summary.h"

#include <algorithm>

#include "src/base/bytes.h"
#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/metrics/table.h"

namespace dray {

std::string RolloutSummary::ToBytes() const {
  ByteWriter out;
  out.Put(origin);
  out.Put(steps);
  out.Put(weights_loaded_unix_s);
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
  out.PutString(side_samples);
  metrics.SaveValues(out);
  return out.Take();
}

RolloutSummary RolloutSummary::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "the summary of a rollout");
  RolloutSummary summary;
  summary.origin = in.Get<BatchOrigin>();
  summary.steps = in.Get<int64_t>();
  summary.weights_loaded_unix_s = in.Get<double>();
  const auto episodes = in.Get<uint64_t>();
  for (uint64_t i = 0; i < episodes; ++i) summary.episodes.push_back(LoadEpisode(in));
  summary.side_samples = in.GetString();
  summary.metrics.LoadValues(in);
  in.ExpectEnd();
  return summary;
}

void RolloutSummary::ExpectOf(const EnvSpec& spec, int shards, int envs) const {
  const auto damaged = [](const auto&... parts) {
    return Failure("the summary of a rollout is damaged: ", parts...);
  };
  if (origin.shard < 0 || origin.shard >= shards) throw damaged("shard ", origin.shard);
  if (origin.first_env < 0 || origin.first_env >= envs || !IsCount(steps) ||
      !IsCount(origin.policy_version)) {
    throw damaged(steps, " steps from environment ", origin.first_env);
  }
  for (const Episode& episode : episodes) {
    if (episode.env < 0 || episode.env >= envs - origin.first_env || !IsCount(episode.length) ||
        episode.stats.size() != spec.episode_stats.size()) {
      throw damaged("an episode of environment ", episode.env);
    }
  }
  for (const auto& [name, value] : metrics.values) {
    const auto is_own = [&](const RolloutStat& stat) {
      return name == Cat(kRolloutStatPrefix, stat.name);
    };
    const bool known = FindMetric(name) != nullptr && name != "epoch";
    if (!known && std::ranges::none_of(spec.rollout_stats, is_own)) {
      throw damaged("unknown metric ", name);
    }
  }
}

}  // namespace dray
