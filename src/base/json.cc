#include "src/base/json.h"

namespace dray {

// Here, for what the library's writer and reader take to compile.

std::string JsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Json ParsedJson(std::string_view text) {
  return Json::parse(text, /*callback=*/nullptr, /*allow_exceptions=*/false);
}

}  // namespace dray
