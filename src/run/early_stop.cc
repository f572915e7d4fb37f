#include "src/run/early_stop.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/metrics/format.h"

namespace dray {

EarlyStop::EarlyStop(const EarlyStopConfig& config, const EnvSpec& spec) : config_(config) {
  if (config_.stat().empty()) return;
  const auto found = std::ranges::find(spec.episode_stats, config_.stat());
  if (found == spec.episode_stats.end()) {
    std::string known;
    for (const std::string& name : spec.episode_stats) {
      known += Cat(known.empty() ? "" : ", ", name);
    }
    throw UsageError("train.early_stop.stat: ", spec.name, " has no episode statistic \"",
                     config_.stat(), "\"; ", known.empty() ? "it has none" : Cat("it has ", known));
  }
  stat_ = static_cast<size_t>(found - spec.episode_stats.begin());
}

void EarlyStop::Add(const Episode& episode) {
  if (config_.stat().empty()) return;
  sum_ += episode.stats[stat_];
  ++episodes_;
}

std::string EarlyStop::OnUpdate(int64_t fewest_episodes_per_env) {
  if (episodes_ == 0) return "";
  const double mean = sum_ / static_cast<double>(episodes_);
  const int64_t episodes = episodes_;
  sum_ = 0;
  episodes_ = 0;
  if (fewest_episodes_per_env < config_.min_episodes_per_env() || mean < config_.at_least()) {
    return "";
  }
  return Cat("Goal reached: mean ", config_.stat(), " ", FormatSignificant(mean, 4),
             " of the last ", episodes, " episodes, ", FormatSignificant(config_.at_least(), 4),
             " was wanted");
}

}  // namespace dray
