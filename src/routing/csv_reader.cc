#include "src/routing/csv_reader.h"

#include <filesystem>

#include "src/routing/csv_table.h"

namespace dray {
namespace {

Instance::Row ParseRow(const TextFile& file, const CsvTable& table, size_t index) {
  const int line = table.line(index);
  const auto number = [&](const char* column) { return Cell{table.Number(index, column), line}; };
  Instance::Row row;
  row.line = line;
  row.number = table.Whole(index, "id");
  row.x = number("x");
  row.y = number("y");
  row.demand = {static_cast<double>(table.Whole(index, "demand")), line};
  row.opens = number("opens");
  row.closes = number("closes");
  row.service = number("service");
  if (!table.Has("delivery_of") || table.Text(index, "delivery_of").empty()) return row;
  const int pickup = table.Whole(index, "delivery_of");
  if (pickup < 0) {
    throw file.Wrong(line, "delivery_of", "there is no customer ", pickup,
                     "; leave it empty for none");
  }
  if (pickup > 0) row.pickup = pickup;
  return row;
}

}  // namespace

Instance ParseCsv(const TextFile& file) {
  Instance instance;
  instance.names = {.number = "id",
                    .coordinates = "x, y",
                    .demand = "demand",
                    .opens = "opens",
                    .closes = "closes",
                    .service = "service",
                    .capacity = "capacity",
                    .vehicles = "vehicles",
                    .pickup = "delivery_of",
                    .delivery = "delivery_of"};
  instance.usually_cut = false;
  instance.name = std::filesystem::path(file.path()).stem().string();
  const CsvTable table(file, {"id", "x", "y", "demand", "opens", "closes", "service"},
                       {"delivery_of"});
  for (size_t i = 0; i < table.rows(); ++i) instance.rows.push_back(ParseRow(file, table, i));
  return instance;
}

}  // namespace dray
