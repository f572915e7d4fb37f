#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dray {

// The known name that a person who wrote `name` most likely meant, for "did you mean ...?"; empty
// when none is near. Near is: at most a third of the letters mistyped (left out, added, replaced,
// or two neighbours swapped), whatever their case; failing that, one name begins with the other.
// Of equally near names the first is taken.
std::string NearestName(std::string_view name, std::span<const std::string> known);

}  // namespace dray
