#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/text_file.h"

namespace dray {

// Splits the lines of a file of separated values. The separator is a comma, semicolon or tab,
// whichever the first line has; if it is not a comma, numbers may have decimal commas. A value in
// "quotes" may contain separators, and "" for a quote.
class CsvCells {
 public:
  // Keeps a reference to the file. Text that is not UTF-8 is an Error: names would not match.
  explicit CsvCells(const TextFile& file);

  // Returns the values of a line, without surrounding blanks.
  std::vector<std::string> Split(const TextLine& line) const;
  // Returns the Error for a line that does not have `expected` values; `remedy` is what to do if
  // its separator is not the cause.
  template <typename... Parts>
  Error WrongCount(const TextLine& line, std::string_view field, size_t expected,
                   const Parts&... remedy) const {
    const std::string other = OtherSeparator(line, expected);
    if (other.empty()) return file_.Wrong(line.number, field, remedy...);
    return file_.Wrong(line.number, "separator", other);
  }
  // Parses a value as a finite number, or as a whole number.
  double Number(int line, std::string_view field, std::string_view cell) const;
  int Whole(int line, std::string_view field, std::string_view cell) const;

 private:
  // Explains that the line has `expected` values by another separator; empty if it has not.
  std::string OtherSeparator(const TextLine& line, size_t expected) const;
  std::string WithPoint(std::string_view cell) const;

  const TextFile& file_;
  char separator_;
};

// Returns true if all values are empty, as in the lines that spreadsheets add at the end.
bool AllEmpty(const std::vector<std::string>& cells);

}  // namespace dray
