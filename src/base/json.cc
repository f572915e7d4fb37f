#include "src/base/json.h"

namespace dray {
namespace {

// Counts brackets and colons outside strings; the parser checks whether they form a value.
bool IsWithinLimits(std::string_view text) {
  int depth = 0, members = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ':') ++members;
    if (depth > kMostJsonDepth || members > kMostJsonMembers) return false;
  }
  return true;
}

}  // namespace

// Kept out of the header because the library's reader and writer are slow to compile.

std::string JsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Json ParsedJson(std::string_view text) {
  if (!IsWithinLimits(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, /*callback=*/nullptr, /*allow_exceptions=*/false);
}

}  // namespace dray
