#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/routing/csv_cells.h"
#include "src/routing/great_circle.h"
#include "src/routing/text_file.h"

namespace dray {

// A column that a file may have.
struct CsvColumn {
  std::string name;
  bool required = true;
  std::vector<std::string> aliases = {};  // other names for it
};

// A file of separated values (csv_cells.h) whose first line names the columns, in any order and
// case. A missing, unknown or repeated column, a row of a different length and a row that repeats
// another one are Errors. Empty rows are skipped.
class CsvTable {
 public:
  // Keeps a reference to the file.
  CsvTable(const TextFile& file, const std::vector<CsvColumn>& columns);

  size_t rows() const { return rows_.size(); }
  int line(size_t row) const { return rows_[row].line; }
  // Columns are identified by their first name.
  bool Has(const std::string& column) const { return columns_.contains(column); }
  // Returns the file's own name for the column, for messages.
  const std::string& NameOf(const std::string& column) const { return columns_.at(column).called; }

  const std::string& Text(size_t row, const std::string& column) const;
  double Number(size_t row, const std::string& column) const;
  int Whole(size_t row, const std::string& column) const;
  // Parses minutes, or a time of day (clock_time.h) as minutes since midnight.
  double Minutes(size_t row, const std::string& column) const;
  // Parses lat and lon of every row. Values out of range, and a row in which the two seem to be
  // swapped, are Errors.
  std::vector<LatLon> Globe() const;

 private:
  struct Column {
    size_t index;
    std::string called;
  };
  struct Row {
    int line;
    std::vector<std::string> cells;
  };

  // Parses degrees from -most to most.
  double Degrees(size_t row, const std::string& column, double most) const;
  void ReadHeader(const std::vector<CsvColumn>& known);

  const TextFile& file_;
  const CsvCells cells_;
  std::map<std::string, Column> columns_;
  std::vector<Row> rows_;
};

// Columns of points on the globe, to be read with CsvTable::Globe.
inline const CsvColumn kLatColumn = {.name = "lat", .aliases = {"latitude"}};
inline const CsvColumn kLonColumn = {.name = "lon", .aliases = {"longitude", "lng"}};

// Returns true if the first line contains this column, by any of its names.
bool HeaderNames(const TextFile& file, const CsvColumn& column);

}  // namespace dray
