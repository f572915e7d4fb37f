#pragma once

#include <optional>
#include <string>

namespace dray::cage2 {

// The scenario that Dray brings along, by this name: CAGE challenge 2's own.
inline constexpr char kShippedScenario[] = "scenario2";

// A file of configs/scenarios as it was when this was built, by its path there; nothing when there
// is no such file.
std::optional<std::string> ShippedFile(const std::string& path);

}  // namespace dray::cage2
