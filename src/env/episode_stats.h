#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "src/env/env.h"

namespace dray {

// Returns the index of a statistic in Episode::stats; nullopt if the task has none of this name.
inline std::optional<size_t> StatPlace(const EnvSpec& spec, std::string_view name) {
  const auto found = std::ranges::find(spec.episode_stats, name);
  if (found == spec.episode_stats.end()) return std::nullopt;
  return static_cast<size_t>(found - spec.episode_stats.begin());
}

}  // namespace dray
