#include "src/routing/trips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/routing/clock_time.h"
#include "src/routing/csv_table.h"
#include "src/routing/place_finder.h"
#include "src/routing/text_file.h"

namespace dray {
namespace {

constexpr std::array<std::string_view, 4> kFlexibilities = {"late_dropoff", "early_pickup", "none",
                                                            "both"};

std::vector<CsvColumn> Columns() {
  std::vector<CsvColumn> columns = {{.name = "rider"}, {.name = "origin"}, {.name = "destination"}};
  for (const char* time : {"pickup_early", "pickup_late", "dropoff_early", "dropoff_late"}) {
    columns.push_back({.name = time, .aliases = {Cat(time, "_min")}});
  }
  columns.push_back({.name = "flexibility", .required = false});
  return columns;
}

class TripReader {
 public:
  TripReader(const TextFile& file, const TravelMatrix& travel, const PlaceTable* places)
      : file_(file),
        travel_(travel),
        places_(places),
        finder_(travel, places),
        table_(file, Columns()) {}

  TripTable Read() {
    if (table_.rows() == 0) {
      throw file_.Wrong(file_.end(), "rider", "there is no trip; add a line for each");
    }
    for (size_t row = 0; row < table_.rows(); ++row) {
      Trip trip;
      trip.rider = Rider(row);
      trip.origin = finder_.Find(file_, table_, row, "origin");
      trip.destination = finder_.Find(file_, table_, row, "destination");
      if (trip.origin == trip.destination) {
        throw file_.Wrong(
            table_.line(row), "destination", "is the origin, place ",
            places_ == nullptr ? Cat(trip.origin) : Quoted(table_.Text(row, "origin")),
            "; remove the trip");
      }
      std::tie(trip.pickup_early, trip.pickup_late) = Window(row, "pickup_early", "pickup_late");
      std::tie(trip.dropoff_early, trip.dropoff_late) =
          Window(row, "dropoff_early", "dropoff_late");
      CheckRide(row, trip);
      trips_.trips.push_back(trip);
      trips_.lines.push_back(table_.line(row));
    }
    return std::move(trips_);
  }

 private:
  int Rider(size_t row) {
    const std::string_view name = table_.Text(row, "rider");
    if (name.empty()) throw file_.Wrong(table_.line(row), "rider", "is empty; name the rider");
    const int flexibility = Flexibility(row);
    const auto [found, is_new] = rider_of_.emplace(std::string(name), trips_.riders.size());
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
    if (name != kFlexibilities.end()) return name - kFlexibilities.begin();
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '3') return text[0] - '0';
    throw file_.Wrong(table_.line(row), "flexibility", "expected 0 to 3, late_dropoff, ",
                      "early_pickup, none or both, found ", Quoted(text),
                      "; leave it empty if unknown");
  }

  std::pair<Ticks, Ticks> Window(size_t row, const std::string& early,
                                 const std::string& late) const {
    const Ticks opens = Time(row, early);
    const Ticks closes = Time(row, late);
    if (closes < opens) {
      throw file_.Wrong(table_.line(row), table_.NameOf(late), "the window closes at ",
                        TimeText(row, closes), ", before it opens at ", TimeText(row, opens),
                        "; swap or fix them");
    }
    return {opens, closes};
  }

  Ticks Time(size_t row, const std::string& column) const {
    constexpr int kDay_min = 24 * 60;
    const double minutes = table_.Minutes(row, column);
    if (minutes >= 0 && minutes <= kDay_min) return std::round(minutes * kTicksPerMinute);
    throw file_.Wrong(table_.line(row), table_.NameOf(column), "must be from 0 to ", kDay_min,
                      " minutes after midnight, found ", minutes,
                      "; write minutes (540) or HH:MM (09:00)");
  }

  // Formats a time in the notation of the row.
  std::string TimeText(size_t row, int64_t ticks) const {
    if (table_.Text(row, "pickup_early").find(':') == std::string::npos) {
      return FormatTicks(ticks, kTicksPerMinute) + " min";
    }
    return ClockText(ticks / kTicksPerMinute);
  }

  void CheckRide(size_t row, const Trip& trip) const {
    const int64_t arrival = int64_t{trip.pickup_early} + travel_(trip.origin, trip.destination);
    if (arrival <= trip.dropoff_late) return;
    throw file_.Wrong(table_.line(row), table_.NameOf("dropoff_late"),
                      "no vehicle can serve it: picked up at ", TimeText(row, trip.pickup_early),
                      ", the rider arrives at ", TimeText(row, arrival), ", after ",
                      TimeText(row, trip.dropoff_late), "; widen the window");
  }

  const TextFile& file_;
  const TravelMatrix& travel_;
  const PlaceTable* places_;  // null: places are numbers
  const PlaceFinder finder_;
  const CsvTable table_;
  TripTable trips_;
  std::map<std::string, int> rider_of_;
};

}  // namespace

TripTable ReadTrips(const std::string& path, const TravelMatrix& travel, const PlaceTable* places) {
  return ParseTrips(path, ReadFile(path), travel, places);
}

TripTable ParseTrips(const std::string& path, std::string text, const TravelMatrix& travel,
                     const PlaceTable* places) {
  const TextFile file(path, std::move(text));
  return TripReader(file, travel, places).Read();
}

int CountRiders(const std::string& path) {
  const TextFile file(path, ReadFile(path));
  const CsvTable table(file, Columns());
  std::set<std::string> riders;
  for (size_t row = 0; row < table.rows(); ++row) riders.insert(table.Text(row, "rider"));
  return riders.size();
}

}  // namespace dray
