#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dray {

// Members stay in the order in which they were set. A number that is not finite becomes null.
using Json = nlohmann::ordered_json;

// In one line; bytes that are not UTF-8 are replaced.
inline std::string JsonText(const Json& json) {
  return json.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace dray
