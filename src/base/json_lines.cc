#include "src/base/json_lines.h"

#include <istream>
#include <limits>
#include <ostream>

#include "src/base/error.h"
#include "src/base/json.h"

namespace dray {

std::string AnswerJsonLine(std::string_view line, const JsonAnswer& answer) {
  try {
    const Json told = ParsedJson(line);
    if (!told.is_object()) {
      throw UsageError("expected one JSON object per line, nested at most ", kMostJsonDepth,
                       " levels, with at most ", kMostJsonMembers, " members");
    }
    return JsonText(answer(told));
  } catch (const Error& error) {
    return JsonText({{"error", error.what()}});
  }
}

void AnswerJsonLines(std::istream& in, std::ostream& out, const JsonAnswer& answer) {
  std::string line(kMostJsonLine + 1, '\0');  // with the end that getline writes
  while (out && !in.eof()) {
    in.getline(line.data(), static_cast<std::streamsize>(line.size()));
    const size_t read = in.gcount();
    if (in.fail() && read == kMostJsonLine) {
      in.clear();
      in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
      out << JsonText({{"error", Cat("the line is longer than ", kMostJsonLine, " bytes")}})
          << std::endl;
      continue;
    }
    if (in.fail()) return;  // nothing is left
    // The end of the line counts as read; the last line may have none.
    const std::string_view told(line.data(), in.eof() ? read : read - 1);
    if (told.find_first_not_of(" \t\r") != told.npos)
      out << AnswerJsonLine(told, answer) << std::endl;
  }
}

std::string QuotedJson(const Json& value) {
  constexpr size_t kMost = 80;
  const std::string text = JsonText(value);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

}  // namespace dray
