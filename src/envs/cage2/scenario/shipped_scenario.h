#pragma once

#include <optional>
#include <string>

namespace dray::cage2 {

// Name of the scenario that Dray includes: that of CAGE challenge 2.
inline constexpr char kShippedScenario[] = "scenario2";

// Returns a file of configs/scenarios, as compiled into the library, or nothing if there is none.
std::optional<std::string> ShippedFile(const std::string& path);

}  // namespace dray::cage2
