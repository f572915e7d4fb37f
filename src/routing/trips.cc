#include "src/routing/trips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/routing/csv_table.h"
#include "src/routing/text_file.h"

namespace dray {
namespace {

constexpr size_t kMostPlaces = 2'000;  // the closure takes the cube of it
constexpr std::array<std::string_view, 4> kFlexibilities = {"late_dropoff", "early_pickup", "none",
                                                            "both"};

Ticks FromMinutes(const TextFile& file, int line, const std::string& field, double minutes) {
  const double ticks = std::round(minutes * kTicksPerMinute);
  if (!(ticks >= 0 && ticks <= kMaxTicks)) {
    throw file.Wrong(line, field, "must be from 0 to ", kMaxTicks / kTicksPerMinute,
                     " minutes, found ", minutes, "; count from midnight");
  }
  return static_cast<Ticks>(ticks);
}

std::string Minutes(int64_t ticks) { return FormatTicks(ticks, kTicksPerMinute) + " min"; }

class TripReader {
 public:
  TripReader(const TextFile& file, const TravelMatrix& travel)
      : file_(file),
        travel_(travel),
        table_(file,
               {"rider", "origin", "destination", "pickup_early_min", "pickup_late_min",
                "dropoff_early_min", "dropoff_late_min"},
               {"flexibility"}) {}

  TripTable Read() {
    if (table_.rows() == 0) {
      throw file_.Wrong(file_.end(), "rider", "there is no trip; add a line for each");
    }
    for (size_t row = 0; row < table_.rows(); ++row) {
      Trip trip;
      trip.rider = Rider(row);
      trip.origin = Place(row, "origin");
      trip.destination = Place(row, "destination");
      if (trip.origin == trip.destination) {
        throw file_.Wrong(table_.line(row), "destination", "is the origin, place ", trip.origin,
                          "; remove the trip");
      }
      std::tie(trip.pickup_early, trip.pickup_late) =
          Window(row, "pickup_early_min", "pickup_late_min");
      std::tie(trip.dropoff_early, trip.dropoff_late) =
          Window(row, "dropoff_early_min", "dropoff_late_min");
      CheckRide(row, trip);
      trips_.trips.push_back(trip);
    }
    return std::move(trips_);
  }

 private:
  int Rider(size_t row) {
    const std::string_view name = table_.Text(row, "rider");
    if (name.empty()) throw file_.Wrong(table_.line(row), "rider", "is empty; name the rider");
    const int flexibility = Flexibility(row);
    const auto [found, is_new] =
        rider_of_.emplace(std::string(name), static_cast<int>(trips_.riders.size()));
    if (is_new) {
      trips_.riders.emplace_back(name);
      trips_.flexibility.push_back(flexibility);
    } else if (trips_.flexibility[found->second] != flexibility) {
      throw file_.Wrong(table_.line(row), "flexibility", "differs from that of an earlier trip of ",
                        Quoted(name), "; a rider has one");
    }
    return found->second;
  }

  int Flexibility(size_t row) const {
    if (!table_.Has("flexibility")) return -1;
    const std::string_view text = table_.Text(row, "flexibility");
    if (text.empty()) return -1;
    const auto name = std::find(kFlexibilities.begin(), kFlexibilities.end(), text);
    if (name != kFlexibilities.end()) return static_cast<int>(name - kFlexibilities.begin());
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '3') return text[0] - '0';
    throw file_.Wrong(table_.line(row), "flexibility", "expected 0 to 3, late_dropoff, ",
                      "early_pickup, none or both, found ", Quoted(text),
                      "; leave it empty if unknown");
  }

  int Place(size_t row, const std::string& column) const {
    const int place = table_.Whole(row, column);
    if (place < 0 || place >= travel_.places()) {
      throw file_.Wrong(table_.line(row), column, "there is no place ", place,
                        "; the travel matrix has ", travel_.places(), " places, counted from 0");
    }
    return place;
  }

  std::pair<Ticks, Ticks> Window(size_t row, const std::string& early,
                                 const std::string& late) const {
    const int line = table_.line(row);
    const Ticks opens = FromMinutes(file_, line, early, table_.Number(row, early));
    const Ticks closes = FromMinutes(file_, line, late, table_.Number(row, late));
    if (closes < opens) {
      throw file_.Wrong(line, late, "the window closes at ", Minutes(closes),
                        ", before it opens at ", Minutes(opens), "; exchange the two or mend one");
    }
    return {opens, closes};
  }

  void CheckRide(size_t row, const Trip& trip) const {
    const int64_t arrival =
        static_cast<int64_t>(trip.pickup_early) + travel_(trip.origin, trip.destination);
    if (arrival <= trip.dropoff_late) return;
    throw file_.Wrong(table_.line(row), "dropoff_late_min",
                      "no vehicle can serve it: picked up at ", Minutes(trip.pickup_early),
                      ", the rider arrives at ", Minutes(arrival), ", after ",
                      Minutes(trip.dropoff_late), "; widen the window");
  }

  const TextFile& file_;
  const TravelMatrix& travel_;
  const CsvTable table_;
  TripTable trips_;
  std::map<std::string, int> rider_of_;
};

// Row by row, in minutes.
std::vector<double> ReadSquare(const TextFile& file) {
  const size_t places = file.lines().size();
  if (places < 2 || places > kMostPlaces) {
    throw file.Wrong(file.end(), "places", "expected from 2 to ", kMostPlaces, " lines, found ",
                     places, "; write one line for each place");
  }
  std::vector<double> minutes;
  for (const TextLine& line : file.lines()) {
    const std::vector<std::string_view> cells = Cells(line.text);
    if (cells.size() != places) {
      throw file.Wrong(line.number, Cat("column ", std::min(cells.size(), places) + 1),
                       "the matrix must be square: expected ", places,
                       " numbers, as there are lines, found ", cells.size(), "; mend the line");
    }
    const size_t from = minutes.size() / places;
    for (size_t to = 0; to < places; ++to) {
      const std::string field = Cat("column ", to + 1);
      minutes.push_back(file.Number(line.number, field, cells[to]));
      FromMinutes(file, line.number, field, minutes.back());
      if (from == to && minutes.back() != 0) {
        throw file.Wrong(line.number, field, "from a place to itself must be 0, found ",
                         minutes.back(), "; write 0");
      }
    }
  }
  return minutes;
}

// Of the minutes as written: rounding to ticks may break triangles that nobody need hear of.
std::string TriangleWarning(const TextFile& file, const std::vector<double>& minutes) {
  constexpr double kSlack = 1e-6;
  const size_t places = file.lines().size();
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
  DRAY_CHECK_EQ(times->size(), static_cast<size_t>(places) * places);
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

TripTable ReadTrips(const std::string& path, const TravelMatrix& travel) {
  return ParseTrips(path, ReadFile(path), travel);
}

TripTable ParseTrips(const std::string& path, std::string text, const TravelMatrix& travel) {
  const TextFile file(path, std::move(text));
  return TripReader(file, travel).Read();
}

TravelTable ReadTravelMinutes(const std::string& path) {
  return ParseTravelMinutes(path, ReadFile(path));
}

TravelTable ParseTravelMinutes(const std::string& path, std::string text) {
  const TextFile file(path, std::move(text));
  const std::vector<double> minutes = ReadSquare(file);
  const int places = static_cast<int>(file.lines().size());
  std::vector<Ticks> times;
  for (const double value : minutes) {
    times.push_back(static_cast<Ticks>(std::round(value * kTicksPerMinute)));
  }
  CloseTriangles(places, &times);
  return {TravelMatrix(places, std::move(times)), TriangleWarning(file, minutes)};
}

}  // namespace dray
