#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dray {

// Returns the known name that the user most likely meant by `name`, for "did you mean ...?"; empty
// if none is close. A name is close if at most a third of its letters are mistyped (missing, extra,
// replaced or two neighbours swapped), ignoring case; failing that, if one name is a prefix of the
// other. Ties go to the first.
std::string NearestName(std::string_view name, std::span<const std::string> known);

}  // namespace dray
