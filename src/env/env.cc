#include "src/env/env.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"

namespace dray {

ActionSpace ActionSpace::Discrete(int count) {
  if (count < 1) throw UsageError("an action space needs at least one action, not ", count);
  ActionSpace space;
  space.count = count;
  return space;
}

ActionSpace ActionSpace::Box(std::vector<float> low, std::vector<float> high) {
  if (low.empty()) throw UsageError("a box of actions needs at least one value");
  if (low.size() != high.size()) {
    throw UsageError("a box of actions has ", low.size(), " lower and ", high.size(),
                     " upper bounds: give as many of each");
  }
  for (size_t i = 0; i < low.size(); ++i) {
    if (!std::isfinite(low[i]) || !std::isfinite(high[i])) {
      throw UsageError("bounds of action value ", i, " must be finite, not ", low[i], " and ",
                       high[i]);
    }
    if (low[i] >= high[i]) {
      throw UsageError("lower bound ", low[i], " of action value ", i,
                       " must be below its upper bound ", high[i]);
    }
  }
  ActionSpace space;
  space.low = std::move(low);
  space.high = std::move(high);
  return space;
}

void SaveEpisode(const Episode& episode, ByteWriter& out) {
  out.Put<int32_t>(episode.env);
  out.Put(episode.length);
  out.Put(episode.total_reward);
  out.PutVector(episode.stats);
}

Episode LoadEpisode(ByteReader& in) {
  Episode episode;
  episode.env = in.Get<int32_t>();
  episode.length = in.Get<int64_t>();
  episode.total_reward = in.Get<double>();
  episode.stats = in.GetVector<double>();
  return episode;
}

void SaveBatchName(const std::string& name, int count, ByteWriter& out) {
  out.PutString(name);
  out.Put(static_cast<uint64_t>(count));
}

void ExpectSavedBatch(const std::string& name, int count, ByteReader& in) {
  if (const std::string found = in.GetString(); found != name) {
    throw Failure("saved environments are not ", name, " but \"", found, "\"");
  }
  if (const auto found = in.Get<uint64_t>(); found != static_cast<uint64_t>(count)) {
    throw Failure("saved environments are ", found, ", not ", count,
                  ": resume with the scale they were saved with");
  }
}

void SaveEpisodes(const std::vector<Episode>& episodes, ByteWriter& out) {
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
}

std::vector<Episode> LoadEpisodes(const EnvSpec& spec, int count, ByteReader& in) {
  std::vector<Episode> episodes;
  const auto size = in.Get<uint64_t>();
  for (uint64_t i = 0; i < size; ++i) {
    episodes.push_back(LoadEpisode(in));
    const Episode& episode = episodes.back();
    if (episode.env < 0 || episode.env >= count ||
        episode.stats.size() != spec.episode_stats.size()) {
      throw Failure("the saved episodes of ", spec.name, " are damaged");
    }
  }
  return episodes;
}

void Env::WriteMask(std::span<uint8_t> mask) const {
  std::fill(mask.begin(), mask.end(), uint8_t{1});
}

void Env::WriteEpisodeStats(std::span<double> stats) const {
  // An environment that names statistics writes them.
  DRAY_CHECK_EQ(stats.size(), 0u);
}

void BatchEnv::Appraise(std::span<float> /*appraisals*/) {
  throw Failure("environment ", spec().name, " does not appraise actions");
}

}  // namespace dray
