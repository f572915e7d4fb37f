#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"

namespace dray {

// Serialises JSON on one line, or one member per line indented by `indent` spaces. Replaces bytes
// that are not UTF-8.
std::string JsonText(const Json& json, int indent = -1);

// Limits of ParsedJson. Deeper values would overflow the stack of code that copies or prints them.
// Members are looked up linearly, so reading takes time quadratic in their number.
inline constexpr int kMostJsonDepth = 32;
inline constexpr int kMostJsonMembers = 10'000;

// Parses one value with at most kMostJsonDepth nested arrays and objects and at most
// kMostJsonMembers members in total. For any other text the result is_discarded().
Json ParsedJson(std::string_view text);

}  // namespace dray
