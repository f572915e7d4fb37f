#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dray {

// A routing problem in whole ticks, so that feasibility is exact and the same on every machine. The
// problem defines the length of a tick: a tenth of a minute in the delivery task, a tenth of a
// distance unit in benchmark files.

using Ticks = int32_t;

// Bounds on the times, travel times and loads of a valid problem. They ensure that a time, a
// service and two travel times add up within Ticks, and two loads within int.
inline constexpr Ticks kMaxTicks = 500'000'000;
inline constexpr int kMaxLoad = 1'000'000'000;

// Formats ticks for people: 1913 at ten ticks per unit is "191.3".
std::string FormatTicks(int64_t ticks, int ticks_per_unit);

// One stop that a vehicle may make. Arriving early means waiting until `opens`; service must start
// by `closes`.
struct Stop {
  int place = 0;  // row and column of the travel matrix
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks service = 0;
  int load = 0;  // change of load: > 0 picks up, < 0 drops off
};

// A unit of work for one vehicle: a single stop (delivery = -1), or a pickup and, later on the same
// route, its delivery.
struct Request {
  int pickup = 0;     // index into stops
  int delivery = -1;  // index into stops, or -1

  bool paired() const { return delivery >= 0; }
};

struct Fleet {
  int capacity = 0;
  // Vehicles that cost nothing to use.
  int free_vehicles = 0;
  // Cost of each further vehicle in ticks. If hard, there are no further vehicles.
  Ticks extra_vehicle_cost = 0;
  bool hard = false;
};

// Square matrix of travel times in ticks, row by row (from, then to); travel times are also costs.
// The matrix is immutable and copies share it, so a thousand problems of one city take the memory
// of one.
class TravelMatrix {
 public:
  TravelMatrix() = default;
  TravelMatrix(int places, std::vector<Ticks> times);

  int places() const { return places_; }
  // All times, row by row.
  std::span<const Ticks> times() const { return {at_, at_ + int64_t{places_} * places_}; }
  // Identifies the contents. It is sent instead of the matrix to receivers that already have it.
  uint64_t fingerprint() const { return fingerprint_; }
  Ticks operator()(int from, int to) const { return at_[int64_t{from} * places_ + to]; }

 private:
  int places_ = 0;
  std::shared_ptr<const std::vector<Ticks>> times_;
  const Ticks* at_ = nullptr;  // data of times_
  uint64_t fingerprint_ = 0;
};

// A place on the map, in the file's units.
struct Point {
  double x = 0;
  double y = 0;
};

// Straight-line distance. Not by std::hypot: only the square root is rounded the same way on every
// machine.
double Distance(const Point& a, const Point& b);

struct Problem {
  std::string name;
  TravelMatrix travel;
  // All vehicles leave place `depot` at depot_opens or later and are back by depot_closes.
  int depot = 0;
  Ticks depot_opens = 0;
  Ticks depot_closes = 0;
  Fleet fleet;
  std::vector<Stop> stops;
  std::vector<Request> requests;
  // Ticks per displayed unit (10: tenths).
  int ticks_per_unit = 10;
  // Name of the unit; empty if the file does not define one.
  std::string unit;
  // Position of each place, for pictures; empty if unknown.
  std::vector<Point> points;
  // Number of each stop in the file and in text plans; empty if there is no file.
  std::vector<int> numbers;

  // Returns the request of each stop; -1 if it belongs to none.
  std::vector<int> RequestOfStop() const;
  // Returns "customer 12" if there is a file, else "stop 11" (the index).
  std::string NameOfStop(int stop) const;
  std::string Format(int64_t ticks) const { return FormatTicks(ticks, ticks_per_unit); }
};

// A defect of a problem: the stop (-1: the problem as a whole), the field (named as in the
// structs above; depot_opens, ... for the problem's own), and a text with the remedy.
struct Defect {
  int stop = -1;
  std::string field;
  std::string text;
};

// Returns the first defect by the rules of Validate, for readers that know the line of each field.
std::optional<Defect> FindDefect(const Problem& problem);

// Throws an Error that names the request or stop and the field unless the problem makes sense:
// windows open before they close, places exist, capacity is above 0 and enough for every request,
// the loads of a pair cancel out, every stop is in one request, travel times are not negative, and
// every request can be served by a vehicle that drives straight there and back. Every message
// begins with `where` (a file name).
void Validate(const Problem& problem, const std::string& where);

}  // namespace dray
