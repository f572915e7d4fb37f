#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dray {

// A time of day as minutes since midnight: "09:00" is 540, "9:00:30" is 540.5, "24:00" is the end
// of the day. None when it is no such time.
std::optional<double> ClockMinutes(std::string_view text);

// The reverse, to the full minute: "09:00".
std::string ClockText(int minutes);

}  // namespace dray
