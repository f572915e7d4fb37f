#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dray {

// Declares Json for headers, because nlohmann's own header takes a second to compile. Members keep
// their insertion order. Numbers that are not finite become null.
using Json = nlohmann::ordered_json;

}  // namespace dray
