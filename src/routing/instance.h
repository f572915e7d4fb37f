#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/routing/problem.h"
#include "src/routing/read_options.h"
#include "src/routing/text_file.h"

namespace dray {

// A number in a file and its line.
struct Cell {
  double value = 0;
  int line = 0;
};

// Common form of all benchmark formats, in the file's own units, before rounding and before any
// rule is checked.
struct Instance {
  struct Row {
    int line = 0;
    int number = 0;
    Cell x;
    Cell y;
    Cell demand;
    Cell opens;
    Cell closes;
    Cell service;
    // Number of the row that is picked up before this one, or delivered after it; -1 if none.
    int pickup = -1;
    int delivery = -1;
  };

  // The format's name for each field, for messages.
  struct FieldNames {
    std::string number;
    std::string coordinates;
    std::string demand;
    std::string opens;
    std::string closes;
    std::string service;
    std::string capacity;
    std::string vehicles;
    std::string pickup;
    std::string delivery;
    std::string travel = "EDGE_WEIGHT_SECTION";
  };

  FieldNames names;
  std::string name;
  // The depot is the first row.
  std::vector<Row> rows;
  bool has_points = true;
  // If set, points are x degrees east and y degrees north, and vehicles travel along great circles
  // at this speed; times are minutes.
  std::optional<double> speed_kmh;
  // Travel times row by row. Without them, travel is the distance between the points.
  std::optional<std::vector<Cell>> matrix;
  // If false, everything is open as long as the longest possible route takes.
  bool has_windows = true;
  // Longest allowed route; only without windows.
  std::optional<Cell> longest_route;
  std::optional<Cell> capacity;
  std::optional<Cell> vehicles;
  // True if benchmarks in this format are usually truncated after one decimal.
  bool usually_cut = true;
  // Name of the unit of time, if the format defines one.
  std::string unit;
  // True if the format has only pickups with deliveries.
  bool all_paired = false;
  // Offset added to a row's number to get the customer's number in text plans.
  int renumber = 0;
};

// Rounds the numbers, pairs pickups with deliveries and validates the rules that all formats share.
// Errors name file, line and field.
Problem Assemble(const TextFile& file, const Instance& instance, const ReadOptions& options);

}  // namespace dray
