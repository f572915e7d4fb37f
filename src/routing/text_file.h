#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"

namespace dray {

struct TextLine {
  int number = 0;          // from 1
  std::string_view text;   // without blanks around it, never empty
  std::string_view whole;  // as it stands in the file, without its end
};

// A file as the readers of this folder see it: its lines that are not blank, and errors that name
// file, line and field. What is no text (UTF-16, a spreadsheet) is an Error; beyond that any bytes
// will do: what is no number is an Error.
class TextFile {
 public:
  TextFile(std::string path, std::string text);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<TextLine>& lines() const { return lines_; }
  // The number of the last line that is not blank, where what is missing should have come.
  int end() const { return lines_.empty() ? 1 : lines_.back().number; }

  template <typename... Parts>
  Error Wrong(int line, std::string_view field, const Parts&... parts) const {
    return UsageError(path_, ":", line, ": ", field, ": ", parts...);
  }

  // The word as a finite number, or as a whole one of at most a thousand million.
  double Number(int line, std::string_view field, std::string_view word) const;
  int Whole(int line, std::string_view field, std::string_view word) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<TextLine> lines_;
};

// The parts of a line between blanks.
std::vector<std::string_view> Words(std::string_view line);

// A word of a file within a message: 'abc', shortened, on one line whatever its bytes.
std::string Quoted(std::string_view word);

bool IsNumber(std::string_view word);

// Whether the two are the same but for case.
bool SameWord(std::string_view a, std::string_view b);

}  // namespace dray
