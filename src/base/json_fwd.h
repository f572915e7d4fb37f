#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dray {

// For headers: the library itself takes a second to compile. Members stay in the order in which
// they were set. A number that is not finite becomes null.
using Json = nlohmann::ordered_json;

}  // namespace dray
