#include "src/routing/li_lim_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace dray {
namespace {

constexpr std::array<const char*, 9> kLiLimColumns = {
    "task", "x", "y", "demand", "earliest", "latest", "service", "pickup", "delivery"};

Instance::Row ParseLiLimRow(const TextFile& file, const TextLine& line) {
  const std::vector<std::string_view> words = Words(line.text);
  if (words.size() != kLiLimColumns.size()) {
    const size_t first_missing = std::min(words.size(), kLiLimColumns.size() - 1);
    throw file.Wrong(line.number, kLiLimColumns[first_missing], "expected ", kLiLimColumns.size(),
                     " numbers in a place's line, found ", words.size(),
                     "; the line may be cut short");
  }
  const auto number = [&](size_t column) {
    return Cell{file.Number(line.number, kLiLimColumns[column], words[column]), line.number};
  };
  const auto whole = [&](size_t column) {
    return file.Whole(line.number, kLiLimColumns[column], words[column]);
  };
  const auto sibling = [&](size_t column) {
    const int task = whole(column);
    if (task < 0) {
      throw file.Wrong(line.number, kLiLimColumns[column], "there is no customer ", task,
                       "; write 0 for none");
    }
    return task == 0 ? -1 : task;
  };
  Instance::Row row;
  row.line = line.number;
  row.number = whole(0);
  row.x = number(1);
  row.y = number(2);
  row.demand = {static_cast<double>(whole(3)), line.number};
  row.opens = number(4);
  row.closes = number(5);
  row.service = number(6);
  row.pickup = sibling(7);
  row.delivery = sibling(8);
  return row;
}

void ParseFleet(const TextFile& file, const TextLine& line, Instance* instance) {
  const std::vector<std::string_view> words = Words(line.text);
  if (words.size() != 3) {
    throw file.Wrong(line.number, words.size() < 2 ? "capacity" : "speed",
                     "expected vehicles, capacity and speed, found ", Quoted(line.text),
                     "; write the three numbers");
  }
  const double vehicles = file.Whole(line.number, "vehicles", words[0]);
  const double capacity = file.Whole(line.number, "capacity", words[1]);
  const double speed = file.Number(line.number, "speed", words[2]);
  // The speed is not used, and some published files say 0.
  if (speed != 0 && speed != 1) {
    throw file.Wrong(line.number, "speed", "only 1 is supported, found ", speed,
                     "; divide the coordinates by it and write 1");
  }
  instance->vehicles = Cell{vehicles, line.number};
  instance->capacity = Cell{capacity, line.number};
}

}  // namespace

Instance ParseLiLim(const TextFile& file) {
  Instance instance;
  instance.names = {.number = "task",
                    .coordinates = "x, y",
                    .demand = "demand",
                    .opens = "earliest",
                    .closes = "latest",
                    .service = "service",
                    .capacity = "capacity",
                    .vehicles = "vehicles",
                    .pickup = "pickup",
                    .delivery = "delivery"};
  instance.all_paired = true;
  instance.name = std::filesystem::path(file.path()).stem().string();
  const auto& lines = file.lines();
  if (lines.empty()) throw file.Wrong(1, "vehicles", "the file is empty; use the complete file");
  ParseFleet(file, lines[0], &instance);
  for (size_t i = 1; i < lines.size(); ++i) instance.rows.push_back(ParseLiLimRow(file, lines[i]));
  return instance;
}

}  // namespace dray
