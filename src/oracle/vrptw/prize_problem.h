#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A stop that must be served, or that pays a prize if it is.
struct PrizeStop {
  static constexpr int64_t kMandatory = -1;

  int place = 0;  // row and column of the travel matrix
  Ticks opens = 0;
  Ticks closes = 0;  // latest start of service
  Ticks service = 0;
  int load = 0;
  // A vehicle that serves this stop leaves the depot at `release` or later, and by `leaves_by`.
  Ticks release = 0;
  Ticks leaves_by = kMaxTicks;
  int64_t prize = kMandatory;  // added to the cost if the stop is not served

  bool mandatory() const { return prize < 0; }
};

// Vehicle routing with time windows, release times and prizes. Any number of vehicles may leave the
// depot, each once. The cost is the travel of all routes plus the prizes of unserved stops.
struct PrizeProblem {
  TravelMatrix travel;
  int depot = 0;
  Ticks depot_opens = 0;
  Ticks depot_closes = 0;  // latest return
  int capacity = 0;
  std::vector<PrizeStop> stops = {};
};

struct PrizePlan {
  std::vector<std::vector<int>> routes;  // indices of stops, in order of service
  std::vector<int> unserved;
  int64_t travel = 0;
  int64_t cost = 0;  // travel and the prizes of unserved stops
};

// Computes travel, cost and unserved stops of these routes. A route that breaks a rule, or an
// unserved stop that is mandatory, is an Error that names it.
PrizePlan CheckedPlan(const PrizeProblem& problem, std::vector<std::vector<int>> routes);

}  // namespace dray
