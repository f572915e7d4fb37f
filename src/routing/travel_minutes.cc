#include "src/routing/travel_minutes.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/routing/csv_cells.h"
#include "src/routing/tick_size.h"

namespace dray {
namespace {

// If crossing the city takes less, its times are in another unit.
constexpr double kSmallestCity_min = 1;

// Checks the minutes as written. Violations caused by rounding to ticks are not worth a warning.
std::string TriangleWarning(const TextFile& file, const std::vector<double>& minutes) {
  constexpr double kSlack = 1e-6;
  const size_t places = std::lround(std::sqrt(minutes.size()));
  int broken = 0;
  std::string worst;
  double worst_gain = 0;
  for (size_t from = 0; from < places; ++from) {
    for (size_t to = 0; to < places; ++to) {
      const double straight = minutes[from * places + to];
      double gain = 0;
      size_t best = from;
      for (size_t by = 0; by < places; ++by) {
        const double saved = straight - minutes[from * places + by] - minutes[by * places + to];
        if (saved > gain) std::tie(gain, best) = std::pair(saved, by);
      }
      if (gain <= kSlack) continue;
      ++broken;
      if (gain <= worst_gain) continue;
      worst_gain = gain;
      worst = Cat(file.path(), ":", file.lines()[from].number, ": column ", to + 1, ": from place ",
                  from, " to ", to, " takes ", straight, " min, by way of ", best, " ",
                  straight - gain);
    }
  }
  if (broken == 0) return "";
  return Cat(worst, "; ", broken, broken == 1 ? " time breaks" : " times break",
             " the triangle inequality, the quickest way is taken for each");
}

}  // namespace

int CloseTriangles(int places, std::vector<Ticks>* times) {
  DRAY_CHECK_EQ(std::ssize(*times), int64_t{places} * places);
  const std::vector<Ticks> before = *times;
  const size_t n = places;
  for (size_t by = 0; by < n; ++by) {
    const Ticks* onward = times->data() + by * n;
    for (size_t from = 0; from < n; ++from) {
      Ticks* row = times->data() + from * n;
      const Ticks first = row[by];
      for (size_t to = 0; to < n; ++to) row[to] = std::min(row[to], first + onward[to]);
    }
  }
  int lowered = 0;
  for (size_t i = 0; i < before.size(); ++i) lowered += (*times)[i] < before[i] ? 1 : 0;
  return lowered;
}

std::vector<double> ReadSquare(const TextFile& file, size_t most_places) {
  const CsvCells cells_of(file);
  std::vector<const TextLine*> lines;
  for (const TextLine& line : file.lines()) {
    if (!AllEmpty(cells_of.Split(line))) lines.push_back(&line);
  }
  const size_t places = lines.size();
  if (places < 2 || places > most_places) {
    throw file.Wrong(file.end(), "places", "expected from 2 to ", most_places, " lines, found ",
                     places, "; write one line for each place");
  }
  std::vector<double> minutes;
  for (size_t from = 0; from < places; ++from) {
    const int line = lines[from]->number;
    const std::vector<std::string> cells = cells_of.Split(*lines[from]);
    if (cells.size() != places) {
      throw cells_of.WrongCount(*lines[from], Cat("column ", std::min(cells.size(), places) + 1),
                                places, "the matrix must be square: expected ", places,
                                " numbers, as there are lines, found ", cells.size(),
                                "; fix the line");
    }
    for (size_t to = 0; to < places; ++to) {
      const std::string field = Cat("column ", to + 1);
      minutes.push_back(cells_of.Number(line, field, cells[to]));
      if (!(minutes.back() >= 0 && minutes.back() <= kMaxTicks / kTicksPerMinute)) {
        throw file.Wrong(line, field, "a travel time must be from 0 to ",
                         kMaxTicks / kTicksPerMinute, " minutes, found ", minutes.back(),
                         "; write minutes");
      }
      if (from == to && minutes.back() != 0) {
        throw file.Wrong(line, field, "from a place to itself must be 0, found ", minutes.back(),
                         "; write 0");
      }
    }
  }
  return minutes;
}

TravelMatrix RoundedTravel(const std::string& where, const std::vector<double>& minutes) {
  std::vector<Ticks> times;
  for (const double value : minutes) {
    times.push_back(std::round(value * kTicksPerMinute));
  }
  const double longest = *std::ranges::max_element(minutes);
  if (longest < kSmallestCity_min) {
    throw UsageError(where, ": the longest travel time is ", longest,
                     " min, too short for steps of 0.1 min; give minutes, not hours");
  }
  if (const std::optional<Vanished> vanished = FindVanished(minutes, times)) {
    throw UsageError(where, ": ", vanished->count, " of ", vanished->of,
                     " travel times above 0 become ", FormatTicks(vanished->to, kTicksPerMinute),
                     " min in steps of 0.1 min; give minutes, not hours");
  }
  const int places = std::lround(std::sqrt(minutes.size()));
  CloseTriangles(places, &times);
  return TravelMatrix(places, std::move(times));
}

TravelTable ReadTravelMinutes(const std::string& path) {
  return ParseTravelMinutes(path, ReadFile(path));
}

TravelTable ParseTravelMinutes(const std::string& path, std::string text) {
  const TextFile file(path, std::move(text));
  const std::vector<double> minutes = ReadSquare(file, kMostTravelPlaces);
  return {RoundedTravel(Cat(path, ":", file.end(), ": places"), minutes),
          TriangleWarning(file, minutes)};
}

}  // namespace dray
