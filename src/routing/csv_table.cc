#include "src/routing/csv_table.h"

#include <algorithm>

#include "src/base/nearest_name.h"

namespace dray {
namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace

CsvTable::CsvTable(const TextFile& file, const std::vector<std::string>& required,
                   const std::vector<std::string>& optional)
    : file_(file) {
  if (file.lines().empty()) {
    throw file.Wrong(1, required[0], "the file is empty; begin with the line ", Joined(required));
  }
  const TextLine& header = file.lines()[0];
  std::vector<std::string> known = required;
  known.insert(known.end(), optional.begin(), optional.end());
  const std::vector<std::string_view> names = Cells(header.text);
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(known.begin(), known.end(), names[i]) == known.end()) {
      const std::string near = NearestName(names[i], known);
      throw file.Wrong(header.number, Quoted(names[i]), "unknown column; ",
                       near.empty() ? "known: " + Joined(known) : "did you mean " + near + "?");
    }
    if (!columns_.emplace(names[i], i).second) {
      throw file.Wrong(header.number, names[i], "the column is there twice; remove one");
    }
  }
  for (const std::string& name : required) {
    if (Has(name)) continue;
    throw file.Wrong(header.number, name, "the column is missing; the first line must name ",
                     Joined(required));
  }
  for (size_t i = 1; i < file.lines().size(); ++i) {
    const TextLine& line = file.lines()[i];
    cells_.push_back(Cells(line.text));
    if (cells_.back().size() == names.size()) continue;
    const std::string_view field = names[std::min(cells_.back().size(), names.size() - 1)];
    throw file.Wrong(line.number, field, "expected ", names.size(),
                     " values as in the first line, found ", cells_.back().size(),
                     "; the line may be cut short");
  }
}

std::string_view CsvTable::Text(size_t row, const std::string& column) const {
  return cells_[row][columns_.at(column)];
}

double CsvTable::Number(size_t row, const std::string& column) const {
  return file_.Number(line(row), column, Text(row, column));
}

int CsvTable::Whole(size_t row, const std::string& column) const {
  return file_.Whole(line(row), column, Text(row, column));
}

}  // namespace dray
