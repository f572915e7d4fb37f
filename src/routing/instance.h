#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/routing/problem.h"
#include "src/routing/read_options.h"
#include "src/routing/text_file.h"

namespace dray {

// A number of a file and the line it stands on.
struct Cell {
  double value = 0;
  int line = 0;
};

// What every benchmark format comes down to, in the file's own units, before rounding and before
// any rule is checked.
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
    // The number of the row that is picked up before this, or delivered after this; -1 for none.
    int pickup = -1;
    int delivery = -1;
  };

  // What the format calls each field, for messages.
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
  // The depot comes first.
  std::vector<Row> rows;
  bool has_points = true;
  // Points are x degrees east and y degrees north, and travel is the way along great circles at
  // this speed, in minutes.
  std::optional<double> speed_kmh;
  // Row by row; without it, travel is the distance between the points.
  std::optional<std::vector<Cell>> matrix;
  // Without windows everything is open as long as the longest route could take.
  bool has_windows = true;
  // No route takes longer; only without windows.
  std::optional<Cell> longest_route;
  std::optional<Cell> capacity;
  std::optional<Cell> vehicles;
  // Whether benchmarks in this format are usually cut off after one decimal.
  bool usually_cut = true;
  // What people call a unit of time, where the format says.
  std::string unit;
  // Whether the format has pickups with deliveries only.
  bool all_paired = false;
  // Plans in text number customers by their row's number plus this.
  int renumber = 0;
};

// Rounds, pairs and validates: every rule that all formats share. Errors name file, line and field.
Problem Assemble(const TextFile& file, const Instance& instance, const ReadOptions& options);

}  // namespace dray
