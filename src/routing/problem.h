#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dray {

// A routing problem in whole ticks, so that feasibility is exact and the same on every machine.
// What a tick is, is the problem's own affair: a tenth of a minute in the delivery task, a tenth of
// a distance unit in benchmark files.

using Ticks = int32_t;

// No time and no travel time of a valid problem is further from 0, so that a time, a service and
// two travel times add up within Ticks; and no load, so that two loads do within int.
inline constexpr Ticks kMaxTicks = 500'000'000;
inline constexpr int kMaxLoad = 1'000'000'000;

// Ticks as people read them: 1913 at ten ticks a unit is "191.3".
std::string FormatTicks(int64_t ticks, int ticks_per_unit);

// One stop that a vehicle may make. Arriving early means waiting until `opens`; service must start
// by `closes`.
struct Stop {
  int place = 0;  // row and column of the travel matrix
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks service = 0;
  int load = 0;  // change of load here: > 0 picks up, < 0 drops off
};

// What is to be served as a whole, by one vehicle: a single stop (delivery = -1), or a pickup and,
// later on the same route, its delivery.
struct Request {
  int pickup = 0;     // index into stops
  int delivery = -1;  // index into stops, or -1

  bool paired() const { return delivery >= 0; }
};

struct Fleet {
  int capacity = 0;
  // Vehicles that cost nothing to use.
  int free_vehicles = 0;
  // What each further one costs, in ticks; with hard, there is no further one.
  Ticks extra_vehicle_cost = 0;
  bool hard = false;
};

// Square travel times in ticks, row by row (from, then to); they are also the cost. They never
// change, and copies share them: a thousand problems of one city are in one city's memory.
class TravelMatrix {
 public:
  TravelMatrix() = default;
  TravelMatrix(int places, std::vector<Ticks> times);

  int places() const { return places_; }
  // Row by row.
  std::span<const Ticks> times() const { return {at_, static_cast<size_t>(places_) * places_}; }
  // Names the content: what is sent in place of the matrix to whoever has seen it before.
  uint64_t fingerprint() const { return fingerprint_; }
  Ticks operator()(int from, int to) const { return at_[static_cast<size_t>(from) * places_ + to]; }

 private:
  int places_ = 0;
  std::shared_ptr<const std::vector<Ticks>> times_;
  const Ticks* at_ = nullptr;  // the first of them
  uint64_t fingerprint_ = 0;
};

// Where a place is on the map, in the file's units.
struct Point {
  double x = 0;
  double y = 0;
};

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
  // Ticks per unit that people read (10: tenths).
  int ticks_per_unit = 10;
  // What people call a unit; empty when that is the file's own affair.
  std::string unit;
  // By place, for pictures; empty when unknown.
  std::vector<Point> points;
  // By stop, what the file and plans in text call it; empty when there is no file.
  std::vector<int> numbers;

  // Which request a stop belongs to, by stop; -1 for one that belongs to none.
  std::vector<int> RequestOfStop() const;
  // "customer 12" of a file, else "stop 11" (the index).
  std::string NameOfStop(int stop) const;
  std::string Format(int64_t ticks) const { return FormatTicks(ticks, ticks_per_unit); }
};

// What is wrong with a problem: at which stop (-1: the problem as a whole), in which field (named
// as in the structs above; depot_opens, ... for the problem's own), and in words with the remedy.
struct Defect {
  int stop = -1;
  std::string field;
  std::string text;
};

// The first defect by the rules of Validate, for readers that know the line of each field.
std::optional<Defect> FindDefect(const Problem& problem);

// Throws Error, naming the request or stop and the field, unless the problem makes sense: windows
// that open before they close, places that exist, capacity above 0 and enough for every request,
// loads that cancel out in a pair, every stop in one request, travel times not negative, every
// request servable by a vehicle of its own that drives straight there and back. `where` begins
// every message (a file's name).
void Validate(const Problem& problem, const std::string& where);

}  // namespace dray
