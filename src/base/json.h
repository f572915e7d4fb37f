#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"

namespace dray {

// In one line, or with its members below each other, `indent` spaces to the right; bytes that are
// not UTF-8 are replaced.
std::string JsonText(const Json& json, int indent = -1);

// Limits of ParsedJson. Deeper values would exhaust the stack of whatever copies or prints them,
// and members are looked up one by one: reading takes the square of their number.
inline constexpr int kMostJsonDepth = 32;
inline constexpr int kMostJsonMembers = 10'000;

// Parses one value, of at most kMostJsonDepth levels of arrays and objects with at most
// kMostJsonMembers members in all. The result of any other text is_discarded().
Json ParsedJson(std::string_view text);

}  // namespace dray
