#include "src/routing/csv_reader.h"

#include <filesystem>

#include "src/base/file.h"
#include "src/routing/csv_table.h"
#include "src/routing/great_circle.h"
#include "src/routing/travel_minutes.h"

namespace dray {
namespace {

constexpr size_t kMostRows = 10'000;

// Column names of the coordinates: x, y or lat, lon.
struct Axes {
  CsvColumn x;
  CsvColumn y;
  bool globe = false;
};

Axes AxesOf(const TextFile& file, bool required) {
  const bool globe = HeaderNames(file, kLatColumn) || HeaderNames(file, kLonColumn);
  Axes axes = {globe ? kLonColumn : CsvColumn{.name = "x"},
               globe ? kLatColumn : CsvColumn{.name = "y"}, globe};
  axes.x.required = axes.y.required = required;
  return axes;
}

std::vector<CsvColumn> Columns(const Axes& axes) {
  const CsvColumn& first = axes.globe ? axes.y : axes.x;
  const CsvColumn& second = axes.globe ? axes.x : axes.y;
  return {{.name = "id"},
          first,
          second,
          {.name = "demand"},
          {.name = "opens"},
          {.name = "closes"},
          {.name = "service"},
          {.name = "delivery_of", .required = false}};
}

Instance::Row ParseRow(const TextFile& file, const CsvTable& table, size_t index) {
  const int line = table.line(index);
  const auto minutes = [&](const char* column) { return Cell{table.Minutes(index, column), line}; };
  Instance::Row row;
  row.line = line;
  row.number = table.Whole(index, "id");
  row.x.line = row.y.line = line;
  if (table.Has("x") && table.Has("y")) {
    row.x.value = table.Number(index, "x");
    row.y.value = table.Number(index, "y");
  }
  row.demand = {static_cast<double>(table.Whole(index, "demand")), line};
  row.opens = minutes("opens");
  row.closes = minutes("closes");
  row.service = minutes("service");
  if (!table.Has("delivery_of") || table.Text(index, "delivery_of").empty()) return row;
  const int pickup = table.Whole(index, "delivery_of");
  if (pickup < 0) {
    throw file.Wrong(line, "delivery_of", "there is no customer ", pickup,
                     "; leave it empty for none");
  }
  if (pickup > 0) row.pickup = pickup;
  return row;
}

std::vector<Cell> ReadMatrix(const std::string& path, const TextFile& file, size_t rows) {
  const TextFile travel(path, ReadFile(path));
  const std::vector<double> minutes = ReadSquare(travel, kMostRows);
  if (minutes.size() != rows * rows) {
    throw travel.Wrong(travel.end(), "places", "the matrix does not match the ", rows, " rows of ",
                       file.path(), "; write one line per row, the depot first");
  }
  std::vector<Cell> cells;
  for (const double value : minutes) cells.push_back({value, file.end()});
  return cells;
}

}  // namespace

Instance ParseCsv(const TextFile& file, const ReadOptions& options) {
  const Axes axes = AxesOf(file, /*required=*/options.travel.empty());
  Instance instance;
  instance.names = {.number = "id",
                    .coordinates = axes.globe ? "lat, lon" : "x, y",
                    .demand = "demand",
                    .opens = "opens",
                    .closes = "closes",
                    .service = "service",
                    .capacity = "capacity",
                    .vehicles = "vehicles",
                    .pickup = "delivery_of",
                    .delivery = "delivery_of",
                    .travel = options.travel};
  instance.usually_cut = false;
  instance.name = std::filesystem::path(file.path()).stem().string();
  const CsvTable table(file, Columns(axes));
  for (size_t i = 0; i < table.rows(); ++i) {
    instance.rows.push_back(ParseRow(file, table, i));
  }
  instance.has_points = table.Has(axes.x.name) && table.Has(axes.y.name);
  if (axes.globe && instance.has_points) {
    const std::vector<LatLon> globe = table.Globe();
    for (size_t i = 0; i < globe.size(); ++i) {
      instance.rows[i].x.value = globe[i].lon;
      instance.rows[i].y.value = globe[i].lat;
    }
  }
  if (!options.travel.empty()) instance.matrix = ReadMatrix(options.travel, file, table.rows());
  if (axes.globe && instance.has_points) {
    instance.speed_kmh = options.speed_kmh.value_or(kUsualSpeed_kmh);
  }
  if (axes.globe || instance.matrix) instance.unit = "min";
  return instance;
}

}  // namespace dray
