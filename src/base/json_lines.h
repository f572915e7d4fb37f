#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"

namespace dray {

// Maximum length of a line in bytes, without its end.
inline constexpr size_t kMostJsonLine = 1 << 20;

// Answers an object; may throw an Error.
using JsonAnswer = std::function<Json(const Json& told)>;

// Answers one line, given without its end, in one line. What cannot be answered gets an "error".
std::string AnswerJsonLine(std::string_view line, const JsonAnswer& answer);

// Answers each line of `in` before reading the next one, until `in` ends or `out` fails. Skips
// blank lines; answers lines longer than kMostJsonLine with an "error".
void AnswerJsonLines(std::istream& in, std::ostream& out, const JsonAnswer& answer);

// Returns the beginning of a value, for a message.
std::string QuotedJson(const Json& value);

}  // namespace dray
