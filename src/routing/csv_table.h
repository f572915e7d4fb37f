#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/routing/text_file.h"

namespace dray {

// A file of comma-separated values whose first line names the columns, in any order. A column that
// is missing, unknown or there twice, or a row of another length, is an Error.
class CsvTable {
 public:
  // Keeps a reference to the file.
  CsvTable(const TextFile& file, const std::vector<std::string>& required,
           const std::vector<std::string>& optional);

  size_t rows() const { return cells_.size(); }
  int line(size_t row) const { return file_.lines()[row + 1].number; }
  bool Has(const std::string& column) const { return columns_.contains(column); }
  std::string_view Text(size_t row, const std::string& column) const;
  double Number(size_t row, const std::string& column) const;
  int Whole(size_t row, const std::string& column) const;

 private:
  const TextFile& file_;
  std::map<std::string, size_t> columns_;
  std::vector<std::vector<std::string_view>> cells_;
};

}  // namespace dray
