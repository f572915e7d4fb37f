#include "src/routing/instance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "src/routing/great_circle.h"
#include "src/routing/tick_size.h"

namespace dray {
namespace {

constexpr size_t kMostPlaces = 10'000;  // a travel matrix of 400 MB

using Row = Instance::Row;

class Assembly {
 public:
  Assembly(const TextFile& file, const Instance& instance, const ReadOptions& options)
      : file_(file), instance_(instance), names_(instance.names), options_(options) {}

  Problem Run() {
    CheckRows();
    problem_.name = instance_.name;
    problem_.unit = instance_.unit;
    SetGlobe();
    cut_ = options_.rounding == Rounding::kTrunc01 ||
           (options_.rounding == Rounding::kAuto && instance_.usually_cut);
    longest_ = LongestDistance();
    problem_.ticks_per_unit = TicksPerUnit();
    SetTravel();
    CheckResolution();
    SetFleet();
    for (size_t row = 0; row < instance_.rows.size(); ++row) AddRow(row);
    SetHorizon();
    Pair();
    ThrowDefect();
    return std::move(problem_);
  }

 private:
  int TicksPerUnit() const {
    switch (options_.rounding) {
      case Rounding::kAuto:
        return cut_ ? 10 : FittingTicksPerUnit(longest_, LargestNumber());
      case Rounding::kTrunc01:
        return 10;
      case Rounding::kExact:
        return 1000;
      case Rounding::kNearest:
        return 1;
    }
    return 1;
  }

  void SetGlobe() {
    if (!instance_.speed_kmh) return;
    std::vector<LatLon> globe;
    for (const Row& row : instance_.rows) globe.push_back({row.y.value, row.x.value});
    circles_.emplace(globe);
    problem_.points = FlatMap(globe);
  }

  // Returns the travel time between two rows in the file's unit, not rounded.
  double Way(size_t from, size_t to) const {
    const std::vector<Row>& rows = instance_.rows;
    if (instance_.matrix) return (*instance_.matrix)[from * rows.size() + to].value;
    return circles_ ? circles_->Km(from, to) * 60 / *instance_.speed_kmh
                    : StraightLine(rows[from], rows[to]);
  }

  double LongestDistance() const {
    const size_t places = instance_.rows.size();
    double longest = 0;
    for (size_t from = 0; from < places; ++from) {
      for (size_t to = 0; to < places; ++to) {
        if (from != to) longest = std::max(longest, Way(from, to));
      }
    }
    return longest;
  }

  double LargestNumber() const {
    double largest = longest_;
    for (const Row& row : instance_.rows)
      for (const Cell* cell : {&row.opens, &row.closes, &row.service})
        largest = std::max(largest, cell->value);
    return largest;
  }

  // Rejects distances that are all rounded to 0, because every plan would cost nothing.
  void CheckResolution() const {
    const bool chosen = options_.rounding == Rounding::kAuto && !cut_;
    const double ticks = longest_ * problem_.ticks_per_unit;
    if (longest_ == 0) return;
    if (ticks >= (chosen ? kFewestTicks : 1)) return CheckMost();
    const std::string step = problem_.Format(1);
    if (chosen) {
      throw WrongDistances(
          "the longest distance is ", longest_, ", and beside times up to ", LargestNumber(),
          " steps are no finer than ", step,
          instance_.unit.empty()
              ? "; distances are travel times, too: give x, y and times in one unit"
              : "; give places that are further apart, and times in minutes");
    }
    throw WrongDistances("the longest distance is ", longest_, ", and in steps of ", step,
                         " all are 0; round to finer ones, or give x, y in a finer unit");
  }

  // Rejects distances of which most become equal by rounding, judging by the first places.
  void CheckMost() const {
    constexpr size_t kLookedAt = 1'000;
    const size_t places = std::min(instance_.rows.size(), kLookedAt);
    std::vector<double> ways;
    std::vector<Ticks> rounded;
    for (size_t from = 0; from < places; ++from) {
      for (size_t to = 0; to < places; ++to) {
        if (from == to) continue;
        ways.push_back(Way(from, to));
        rounded.push_back(problem_.travel(from, to));
      }
    }
    const std::optional<Vanished> vanished = FindVanished(ways, rounded);
    if (!vanished) return;
    throw WrongDistances(vanished->count, " of ", vanished->of, " distances above 0 become ",
                         problem_.Format(vanished->to), " in steps of ", problem_.Format(1),
                         "; round to finer ones, or give distances in a finer unit");
  }

  template <typename... Parts>
  Error WrongDistances(const Parts&... parts) const {
    return file_.Wrong(instance_.rows[0].line,
                       instance_.matrix ? names_.travel : names_.coordinates, parts...);
  }

  Ticks Rounded(double value, int line, const std::string& field) const {
    const double scaled = value * problem_.ticks_per_unit;
    if (!(std::abs(scaled) < kMaxTicks)) {
      throw file_.Wrong(line, field, "must be below ", kMaxTicks / problem_.ticks_per_unit,
                        ", found ", value, "; use a coarser unit");
    }
    return cut_ ? std::trunc(scaled) : std::round(scaled);
  }

  Ticks Time(const Cell& cell, const std::string& field) const {
    if (cell.value < 0) {
      throw file_.Wrong(cell.line, field, "must not be negative, found ", cell.value,
                        "; times count from 0");
    }
    return Rounded(cell.value, cell.line, field);
  }

  void CheckRows() const {
    const std::vector<Row>& rows = instance_.rows;
    if (rows.size() < 2) {
      throw file_.Wrong(file_.end(), names_.number,
                        "expected a depot and at least one customer, found ", rows.size(),
                        rows.size() == 1 ? " row" : " rows", "; the file may be cut short");
    }
    if (rows.size() > kMostPlaces) {
      throw file_.Wrong(rows[kMostPlaces].line, names_.number, "more than ", kMostPlaces,
                        " places; split the problem");
    }
    std::map<int, int> line_of;
    for (const Row& row : rows) {
      if (row.number < 0) {
        throw file_.Wrong(row.line, names_.number, "must not be negative, found ", row.number,
                          "; number customers from 1");
      }
      const auto [first, is_new] = line_of.emplace(row.number, row.line);
      if (!is_new) {
        throw file_.Wrong(row.line, names_.number, row.number, " is given twice, first in line ",
                          first->second, "; give every customer a unique number");
      }
    }
  }

  void SetTravel() {
    const std::vector<Row>& rows = instance_.rows;
    const size_t places = rows.size();
    std::vector<Ticks> times(places * places);
    for (size_t from = 0; from < places; ++from) {
      for (size_t to = 0; to < places; ++to) {
        times[from * places + to] =
            instance_.matrix ? Time((*instance_.matrix)[from * places + to], names_.travel)
                             : Rounded(Way(from, to), rows[to].x.line, names_.coordinates);
      }
    }
    problem_.travel = TravelMatrix(places, std::move(times));
    if (!instance_.has_points || circles_) return;
    for (const Row& row : rows) problem_.points.push_back({row.x.value, row.y.value});
  }

  static double StraightLine(const Row& from, const Row& to) {
    const double dx = from.x.value - to.x.value;
    const double dy = from.y.value - to.y.value;
    return std::sqrt(dx * dx + dy * dy);
  }

  void SetFleet() {
    if (!options_.capacity && !instance_.capacity) {
      throw file_.Wrong(file_.end(), names_.capacity,
                        "not given in the file; set it with an option");
    }
    problem_.fleet.hard = true;
    problem_.fleet.capacity = options_.capacity ? *options_.capacity : instance_.capacity->value;
    const int customers = std::ssize(instance_.rows) - 1;
    problem_.fleet.free_vehicles = options_.vehicles    ? *options_.vehicles
                                   : instance_.vehicles ? instance_.vehicles->value
                                                        : customers;
  }

  void AddRow(int index) {
    const Row& row = instance_.rows[index];
    Stop stop;
    stop.place = index;
    stop.opens = Time(row.opens, names_.opens);
    stop.closes = Time(row.closes, names_.closes);
    stop.service = Time(row.service, names_.service);
    stop.load = row.demand.value;
    if (index > 0) {
      problem_.stops.push_back(stop);
      problem_.numbers.push_back(row.number + instance_.renumber);
      return;
    }
    problem_.depot_opens = stop.opens;
    problem_.depot_closes = stop.closes;
    if (stop.load != 0) {
      throw file_.Wrong(row.demand.line, names_.demand, "the depot (the first row) must have 0, ",
                        "found ", stop.load, "; put the depot first");
    }
    if (stop.service != 0) {
      throw file_.Wrong(row.service.line, names_.service, "the depot must have 0, found ",
                        row.service.value, "; add it to the customers' service instead");
    }
  }

  // Sets the horizon of files without windows: the sum of all longest legs and all services.
  void SetHorizon() {
    if (instance_.has_windows) return;
    int64_t horizon = 0;
    const TravelMatrix& travel = problem_.travel;
    for (int from = 0; from < travel.places(); ++from) {
      Ticks longest = 0;
      for (int to = 0; to < travel.places(); ++to) longest = std::max(longest, travel(from, to));
      horizon += longest;
    }
    for (const Stop& stop : problem_.stops) horizon += stop.service;
    if (instance_.longest_route) horizon = Time(*instance_.longest_route, "DISTANCE");
    problem_.depot_closes = std::min<int64_t>(horizon, kMaxTicks);
    for (Stop& stop : problem_.stops) stop.closes = problem_.depot_closes;
  }

  int RowNumbered(int number, int line, const std::string& field) const {
    const auto found = index_of_.find(number);
    if (found == index_of_.end() || found->second == 0) {
      throw file_.Wrong(line, field, "there is no customer ", number,
                        "; name one of the file's customers");
    }
    return found->second;
  }

  void Pair() {
    const std::vector<Row>& rows = instance_.rows;
    for (size_t i = 0; i < rows.size(); ++i) index_of_[rows[i].number] = i;
    // Row of the delivery, for each row.
    std::vector<int> delivery(rows.size(), -1);
    for (size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].pickup < 0) continue;
      const int pickup = RowNumbered(rows[i].pickup, rows[i].line, names_.pickup);
      if (rows[pickup].pickup >= 0) {
        throw file_.Wrong(rows[i].line, names_.pickup, "customer ", rows[pickup].number,
                          " is a delivery itself; name a pickup");
      }
      if (delivery[pickup] >= 0) {
        throw file_.Wrong(rows[i].line, names_.pickup, "customer ", rows[pickup].number,
                          " is delivered in line ", rows[delivery[pickup]].line,
                          " already; every pickup has one delivery");
      }
      delivery[pickup] = i;
    }
    for (size_t i = 1; i < rows.size(); ++i) AddRequest(i, delivery[i]);
  }

  void AddRequest(int index, int delivery) {
    const Row& row = instance_.rows[index];
    if (row.pickup >= 0 && row.delivery >= 0) {
      throw file_.Wrong(row.line, names_.delivery, "customer ", row.number,
                        " names a pickup and a delivery; write 0 for one of the two");
    }
    if (row.pickup >= 0) return;
    if (row.delivery >= 0 && RowNumbered(row.delivery, row.line, names_.delivery) != delivery) {
      throw file_.Wrong(row.line, names_.delivery, "customer ", row.delivery, " does not name ",
                        row.number, " as its pickup; the two must name ", "each other");
    }
    if (instance_.all_paired && row.delivery < 0) {
      throw file_.Wrong(row.line, names_.delivery, "customer ", row.number,
                        " is a pickup without a delivery; name its delivery");
    }
    if (delivery < 0 && row.demand.value < 0) {
      throw file_.Wrong(row.demand.line, names_.demand, "must not be negative, found ",
                        row.demand.value, "; only a delivery that names its pickup drops off");
    }
    problem_.requests.push_back({index - 1, delivery < 0 ? -1 : delivery - 1});
  }

  // Returns the line and the format's name of the field that FindDefect complains about.
  std::pair<int, std::string> Locate(const Defect& defect) const {
    const auto line = [&](const std::optional<Cell>& cell) {
      return cell ? cell->line : file_.end();
    };
    if (defect.field == "capacity") return {line(instance_.capacity), names_.capacity};
    if (defect.field == "free_vehicles") return {line(instance_.vehicles), names_.vehicles};
    const Row& row = instance_.rows[defect.stop + 1];
    if (defect.field == "service") return {row.service.line, names_.service};
    if (defect.field == "load") return {row.demand.line, names_.demand};
    if (instance_.longest_route) return {instance_.longest_route->line, "DISTANCE"};
    if (defect.field == "opens") return {row.opens.line, names_.opens};
    if (defect.field == "closes" || defect.field == "depot_closes") {
      return {row.closes.line, names_.closes};
    }
    return {row.line, defect.field};
  }

  void ThrowDefect() const {
    const std::optional<Defect> defect = FindDefect(problem_);
    if (!defect) return;
    if ((defect->field == "capacity" && options_.capacity) ||
        (defect->field == "free_vehicles" && options_.vehicles)) {
      throw UsageError(file_.path(), ": ", defect->field, " as given by option: ", defect->text);
    }
    const auto [line, field] = Locate(*defect);
    const std::string kind = instance_.renumber == 0 ? "customer " : "node ";
    const std::string who =
        defect->stop < 0 ? "" : Cat(kind, instance_.rows[defect->stop + 1].number, ": ");
    throw file_.Wrong(line, field, who, defect->text);
  }

  const TextFile& file_;
  const Instance& instance_;
  const Instance::FieldNames& names_;
  const ReadOptions& options_;
  Problem problem_;
  std::optional<GreatCircles> circles_;  // distances between points in degrees
  bool cut_ = false;                     // numbers are truncated after one decimal
  double longest_ = 0;                   // longest distance
  std::map<int, int> index_of_;
};

}  // namespace

Problem Assemble(const TextFile& file, const Instance& instance, const ReadOptions& options) {
  return Assembly(file, instance, options).Run();
}

}  // namespace dray
