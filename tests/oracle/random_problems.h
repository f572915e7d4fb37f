#pragma once

#include "src/base/rng.h"
#include "src/routing/problem.h"

namespace dray {

// Random routing problems for tests: every request can be served by a vehicle of its own.
struct RandomProblemOptions {
  int requests = 10;
  double pair_share = 1.0;
  // Width of windows, as a share of the day; the narrowest is a tick.
  double widest_window = 0.3;
  bool metric = true;  // false: travel times that break the triangle inequality
  bool hard_fleet = false;
  int free_vehicles = 2;
  Ticks extra_vehicle_cost = 500;
  int capacity = 4;
};

Problem RandomProblem(const RandomProblemOptions& options, Rng& rng);

// Any mix of the options above, drawn at random.
Problem AnyRandomProblem(int most_requests, Rng& rng);

// An episode's end of the delivery task: 30 riders in a city, windows of 30 minutes, ticks of a
// tenth of a minute.
Problem RandomDeliveryProblem(int riders, Rng& rng);

}  // namespace dray
