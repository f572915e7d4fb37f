#include "src/loop/early_stop.h"

#include "src/base/error.h"
#include "src/env/episode_stats.h"
#include "src/output/format.h"

namespace dray {

EarlyStop::EarlyStop(const EarlyStopConfig& config, const EnvSpec& spec) : config_(config) {
  if (config_.stat().empty()) return;
  const std::optional<size_t> place = StatPlace(spec, config_.stat());
  if (!place) {
    std::string known;
    for (const std::string& name : spec.episode_stats) {
      known += Cat(known.empty() ? "" : ", ", name);
    }
    throw UsageError("train.early_stop.stat: ", spec.name, " has no episode statistic \"",
                     config_.stat(), "\"; ", known.empty() ? "it has none" : Cat("it has ", known));
  }
  stat_ = *place;
}

std::string EarlyStop::OnUpdate(std::span<const Episode> episodes,
                                int64_t fewest_episodes_per_env) const {
  if (config_.stat().empty() || episodes.empty()) return "";
  double mean = 0;
  for (const Episode& episode : episodes) {
    mean += episode.stats[stat_] / episodes.size();
  }
  if (fewest_episodes_per_env < config_.min_episodes_per_env() || mean < config_.at_least()) {
    return "";
  }
  return Cat("Goal reached: mean ", config_.stat(), " ", FormatSignificant(mean, 4),
             " of the last ", FormatCounted(std::ssize(episodes), "episode"), ", ",
             FormatSignificant(config_.at_least(), 4), " was wanted");
}

}  // namespace dray
