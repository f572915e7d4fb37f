#include "src/routing/csv_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "src/base/nearest_name.h"
#include "src/routing/clock_time.h"

namespace dray {
namespace {

bool Means(const CsvColumn& column, std::string_view name) {
  return SameWord(column.name, name) ||
         std::ranges::any_of(column.aliases,
                             [&](const std::string& alias) { return SameWord(alias, name); });
}

std::string Joined(const std::vector<CsvColumn>& columns, bool all) {
  std::string text;
  for (const CsvColumn& column : columns) {
    if (all || column.required) text += (text.empty() ? "" : ",") + column.name;
  }
  return text;
}

std::vector<std::string> NamesOf(const std::vector<CsvColumn>& columns) {
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) {
    names.push_back(column.name);
    names.insert(names.end(), column.aliases.begin(), column.aliases.end());
  }
  return names;
}

}  // namespace

CsvTable::CsvTable(const TextFile& file, const std::vector<CsvColumn>& columns)
    : file_(file), cells_(file) {
  ReadHeader(columns);
  const std::vector<std::string> names = cells_.Split(file.lines()[0]);
  std::map<std::string_view, int> line_of;
  for (size_t i = 1; i < file.lines().size(); ++i) {
    const TextLine& line = file.lines()[i];
    Row row{line.number, cells_.Split(line)};
    if (AllEmpty(row.cells)) continue;
    if (row.cells.size() != names.size()) {
      const std::string& field = names[std::min(row.cells.size(), names.size() - 1)];
      throw cells_.WrongCount(line, field, names.size(), "expected ", names.size(),
                              " values as in the first line, found ", row.cells.size(),
                              row.cells.size() < names.size()
                                  ? "; the line may be cut short"
                                  : "; decimal commas need semicolons between the values");
    }
    const auto [first, is_new] = line_of.emplace(line.text, line.number);
    if (!is_new) {
      throw file.Wrong(line.number, names[0], "the line repeats line ", first->second,
                       " exactly; remove one of the two");
    }
    rows_.push_back(std::move(row));
  }
}

void CsvTable::ReadHeader(const std::vector<CsvColumn>& known) {
  if (file_.lines().empty()) {
    throw file_.Wrong(1, known[0].name, "the file is empty; begin with the line ",
                      Joined(known, /*all=*/false));
  }
  const TextLine& header = file_.lines()[0];
  const std::vector<std::string> names = cells_.Split(header);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto meant = std::ranges::find_if(
        known, [&](const CsvColumn& column) { return Means(column, names[i]); });
    if (meant == known.end()) {
      const std::string near = NearestName(names[i], NamesOf(known));
      throw file_.Wrong(
          header.number, Quoted(names[i]), "unknown column; ",
          near.empty() ? "known: " + Joined(known, /*all=*/true) : "did you mean " + near + "?");
    }
    if (!columns_.emplace(meant->name, Column{i, names[i]}).second) {
      throw file_.Wrong(header.number, names[i], "the column appears twice; remove one");
    }
  }
  for (const CsvColumn& column : known) {
    if (!column.required || Has(column.name)) continue;
    throw file_.Wrong(header.number, column.name,
                      "the column is missing; the first line must name ",
                      Joined(known, /*all=*/false));
  }
}

const std::string& CsvTable::Text(size_t row, const std::string& column) const {
  return rows_[row].cells[columns_.at(column).index];
}

double CsvTable::Number(size_t row, const std::string& column) const {
  return cells_.Number(line(row), NameOf(column), Text(row, column));
}

int CsvTable::Whole(size_t row, const std::string& column) const {
  return cells_.Whole(line(row), NameOf(column), Text(row, column));
}

double CsvTable::Minutes(size_t row, const std::string& column) const {
  const std::string& text = Text(row, column);
  if (text.find(':') == std::string::npos) return Number(row, column);
  const std::optional<double> minutes = ClockMinutes(text);
  if (minutes) return *minutes;
  throw file_.Wrong(
      line(row), NameOf(column), Quoted(text),
      " is not a valid time from 00:00 to 24:00; write minutes (540) or HH:MM (09:00)");
}

double CsvTable::Degrees(size_t row, const std::string& column, double most) const {
  const double degrees = Number(row, column);
  if (std::abs(degrees) <= most) return degrees;
  throw file_.Wrong(line(row), NameOf(column), "must be from -", most, " to ", most,
                    " degrees, found ", degrees,
                    std::abs(degrees) <= 180 ? "; latitude and longitude may be swapped"
                                             : "; write degrees, such as 52.52");
}

std::vector<LatLon> CsvTable::Globe() const {
  constexpr double kFar_km = 1'000;
  std::vector<LatLon> globe;
  for (size_t row = 0; row < rows(); ++row) {
    globe.push_back({Degrees(row, "lat", 90), Degrees(row, "lon", 180)});
    const auto [lat, lon] = globe.back();
    const GreatCircles ways(std::array{globe[0], globe.back(), LatLon{lon, lat}});
    if (ways.Km(0, 1) < kFar_km || ways.Km(0, 2) > ways.Km(0, 1) / 10) continue;
    throw file_.Wrong(line(row), NameOf("lat"), "is ", std::lround(ways.Km(0, 1)),
                      " km away from line ", line(0), ", but ", std::lround(ways.Km(0, 2)),
                      " km with latitude and longitude swapped; swap them in one of the two lines");
  }
  return globe;
}

bool HeaderNames(const TextFile& file, const CsvColumn& column) {
  if (file.lines().empty()) return false;
  return std::ranges::any_of(CsvCells(file).Split(file.lines()[0]),
                             [&](const std::string& name) { return Means(column, name); });
}

}  // namespace dray
