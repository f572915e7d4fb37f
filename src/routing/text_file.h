#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"

namespace dray {

// Characters that separate words within a line.
inline constexpr std::string_view kBlanks = " \t\r\f\v";

struct TextLine {
  int number = 0;          // counted from 1
  std::string_view text;   // trimmed, never empty
  std::string_view whole;  // the raw line without its line break
};

// A text file as the readers of this folder see it: its non-blank lines, and errors that name file,
// line and field. Anything that is not text (UTF-16, a spreadsheet) is an Error; otherwise all
// bytes are accepted.
class TextFile {
 public:
  TextFile(std::string path, std::string text);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<TextLine>& lines() const { return lines_; }
  // Number of the last non-blank line, for errors about missing content.
  int end() const { return lines_.empty() ? 1 : lines_.back().number; }

  template <typename... Parts>
  Error Wrong(int line, std::string_view field, const Parts&... parts) const {
    return UsageError(path_, ":", line, ": ", field, ": ", parts...);
  }

  // Parses a word as a finite number, or as a whole number of at most a thousand million.
  double Number(int line, std::string_view field, std::string_view word) const;
  int Whole(int line, std::string_view field, std::string_view word) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<TextLine> lines_;
};

// Splits a line at blanks.
std::vector<std::string_view> Words(std::string_view line);

// Returns the length in bytes of the UTF-8 character at the beginning of a text that is not empty;
// 0 if there is none.
size_t Utf8Length(std::string_view text);

// Quotes a word of a file for a message: 'abc', shortened, on one line whatever its bytes.
std::string Quoted(std::string_view word);

bool IsNumber(std::string_view word);

// Compares two words, ignoring case.
bool SameWord(std::string_view a, std::string_view b);

}  // namespace dray
