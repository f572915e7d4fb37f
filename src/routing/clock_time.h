#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dray {

// Parses a time of day as minutes since midnight: "09:00" is 540, "9:00:30" is 540.5, "24:00" is
// the end of the day. Returns nothing for other text.
std::optional<double> ClockMinutes(std::string_view text);

// Formats whole minutes since midnight: "09:00".
std::string ClockText(int minutes);
// Formats seconds since midnight: "09:00" or, between whole minutes, "09:00:30".
std::string ClockTextOfSeconds(int seconds);

}  // namespace dray
