#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/text_file.h"

namespace dray {

// How a file of separated values is to be read: by commas, semicolons or tabs, whichever its first
// line has. Where no comma separates, one may be a decimal point. A value in "quotes" may hold
// separators, and "" for a quote.
class CsvCells {
 public:
  // Keeps a reference to the file.
  explicit CsvCells(const TextFile& file);

  // The values of a line, without blanks around them.
  std::vector<std::string> Split(const TextLine& line) const;
  // A value of this file as a finite number, or as a whole one.
  double Number(int line, std::string_view field, std::string_view cell) const;
  int Whole(int line, std::string_view field, std::string_view cell) const;

 private:
  std::string WithPoint(std::string_view cell) const;

  const TextFile& file_;
  char separator_;
};

// Whether nothing stands in any of them, as in the lines that spreadsheets add at the end.
bool AllEmpty(const std::vector<std::string>& cells);

}  // namespace dray
