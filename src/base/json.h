#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"

namespace dray {

// In one line, or with its members below each other, `indent` spaces to the right; bytes that are
// not UTF-8 are replaced.
std::string JsonText(const Json& json, int indent = -1);

// What is no JSON is_discarded().
Json ParsedJson(std::string_view text);

}  // namespace dray
