#pragma once

#include <cstdlib>
#include <utility>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A street with the depot at 0 and a customer of load 1 at each of `positions`: open from 0 to
// 1000, no service, up to `vehicles` vehicles of capacity `capacity`. Small enough to be solved in
// the head. Place i + 1 and stop i are the i-th customer.
inline Problem Street(const std::vector<int>& positions, int capacity, int vehicles) {
  std::vector<int> at = {0};
  at.insert(at.end(), positions.begin(), positions.end());
  std::vector<Ticks> times;
  for (const int from : at) {
    for (const int to : at) times.push_back(std::abs(from - to));
  }
  Problem problem;
  problem.name = "street";
  problem.travel = TravelMatrix(static_cast<int>(at.size()), std::move(times));
  problem.depot_closes = 1000;
  problem.fleet = {capacity, vehicles, /*extra_vehicle_cost=*/0, /*hard=*/true};
  for (int i = 0; i < static_cast<int>(positions.size()); ++i) {
    problem.stops.push_back({i + 1, 0, 1000, 0, 1});
    problem.requests.push_back({i, -1});
  }
  problem.ticks_per_unit = 1;
  return problem;
}

// The same street where stop 2i is the pickup and stop 2i + 1 the delivery of request i.
inline Problem PairStreet(const std::vector<int>& positions, int capacity, int vehicles) {
  Problem problem = Street(positions, capacity, vehicles);
  problem.requests.clear();
  for (int i = 0; i + 1 < static_cast<int>(positions.size()); i += 2) {
    problem.stops[i + 1].load = -1;
    problem.requests.push_back({i, i + 1});
  }
  return problem;
}

}  // namespace dray
