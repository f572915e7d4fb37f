#include "src/routing/solomon_reader.h"

#include <algorithm>
#include <array>

namespace dray {
namespace {

constexpr std::array<const char*, 7> kSolomonColumns = {
    "CUST NO.", "XCOORD.", "YCOORD.", "DEMAND", "READY TIME", "DUE DATE", "SERVICE TIME"};

// Returns the index of the section's first line of numbers.
size_t FindSection(const TextFile& file, std::string_view section) {
  const auto& lines = file.lines();
  size_t i = 0;
  while (i < lines.size() && !SameWord(lines[i].text, section)) ++i;
  if (i == lines.size()) {
    throw file.Wrong(file.end(), section,
                     "the section is missing; add it, or use the complete file");
  }
  // A line of column names may come first.
  for (const size_t first : {i + 1, i + 2}) {
    if (first < lines.size() && IsNumber(Words(lines[first].text)[0])) return first;
  }
  throw file.Wrong(lines[std::min(i + 2, lines.size() - 1)].number, section,
                   "expected column names and then numbers; the file may be cut short");
}

Instance::Row ParseSolomonRow(const TextFile& file, const TextLine& line) {
  const std::vector<std::string_view> words = Words(line.text);
  if (words.size() != kSolomonColumns.size()) {
    const size_t first_missing = std::min(words.size(), kSolomonColumns.size() - 1);
    throw file.Wrong(line.number, kSolomonColumns[first_missing], "expected ",
                     kSolomonColumns.size(), " numbers in a customer's line, found ", words.size(),
                     "; the line may be cut short");
  }
  Instance::Row row;
  row.line = line.number;
  row.number = file.Whole(line.number, kSolomonColumns[0], words[0]);
  row.x = {file.Number(line.number, kSolomonColumns[1], words[1]), line.number};
  row.y = {file.Number(line.number, kSolomonColumns[2], words[2]), line.number};
  row.demand = {static_cast<double>(file.Whole(line.number, kSolomonColumns[3], words[3])),
                line.number};
  row.opens = {file.Number(line.number, kSolomonColumns[4], words[4]), line.number};
  row.closes = {file.Number(line.number, kSolomonColumns[5], words[5]), line.number};
  row.service = {file.Number(line.number, kSolomonColumns[6], words[6]), line.number};
  return row;
}

}  // namespace

Instance ParseSolomon(const TextFile& file) {
  Instance instance;
  instance.names = {.number = "CUST NO.",
                    .coordinates = "XCOORD., YCOORD.",
                    .demand = "DEMAND",
                    .opens = "READY TIME",
                    .closes = "DUE DATE",
                    .service = "SERVICE TIME",
                    .capacity = "CAPACITY",
                    .vehicles = "NUMBER",
                    .pickup = "",
                    .delivery = ""};
  const auto& lines = file.lines();
  if (!lines.empty() && !SameWord(lines[0].text, "VEHICLE")) instance.name = lines[0].text;
  const TextLine& fleet = lines[FindSection(file, "VEHICLE")];
  const std::vector<std::string_view> words = Words(fleet.text);
  if (words.size() != 2) {
    throw file.Wrong(fleet.number, words.size() < 2 ? "CAPACITY" : "VEHICLE",
                     "expected the number of vehicles and their capacity, found ",
                     Quoted(fleet.text), "; write the two numbers");
  }
  const double number = file.Whole(fleet.number, "NUMBER", words[0]);
  const double capacity = file.Whole(fleet.number, "CAPACITY", words[1]);
  instance.vehicles = Cell{number, fleet.number};
  instance.capacity = Cell{capacity, fleet.number};
  for (size_t i = FindSection(file, "CUSTOMER"); i < lines.size(); ++i) {
    instance.rows.push_back(ParseSolomonRow(file, lines[i]));
  }
  return instance;
}

}  // namespace dray
