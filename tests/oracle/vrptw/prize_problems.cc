#include "tests/oracle/vrptw/prize_problems.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {
namespace {

constexpr int64_t kImpossible = std::numeric_limits<int64_t>::max() / 4;

// Returns the least travel of one route over these stops.
int64_t LeastTravel(const PrizeProblem& problem, std::vector<int> stops) {
  PrizeProblem part = problem;
  part.stops.clear();
  for (const int stop : stops) part.stops.push_back(problem.stops[stop]);
  std::vector<int> order(stops.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  int64_t least = kImpossible;
  do {
    try {
      least = std::min(least, CheckedPlan(part, {order}).travel);
    } catch (const Error&) {
      // This order breaks a rule.
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace

PrizeProblem RandomPrizeProblem(int stops, uint64_t seed) {
  Rng rng(seed, RngPurpose::kTest, 0);
  PrizeProblem problem;
  std::vector<std::pair<double, double>> at;
  for (int i = 0; i <= stops; ++i) at.emplace_back(rng.Uniform(0, 100), rng.Uniform(0, 100));
  std::vector<Ticks> times;
  for (const auto& [x, y] : at) {
    for (const auto& [u, v] : at) {
      const bool same = x == u && y == v;
      times.push_back(same ? 0
                           : static_cast<Ticks>(std::abs(x - u) + std::abs(y - v)) + 1 +
                                 static_cast<Ticks>(rng.Below(10)));
    }
  }
  problem.travel = TravelMatrix(stops + 1, std::move(times));
  problem.depot_opens = 50;
  problem.depot_closes = 1000;
  problem.capacity = 12;
  for (int i = 0; i < stops; ++i) {
    PrizeStop stop{.place = i + 1,
                   .service = static_cast<Ticks>(rng.Below(20)),
                   .load = 1 + static_cast<int>(rng.Below(6))};
    stop.opens = static_cast<Ticks>(rng.Below(500));
    stop.closes = std::max<Ticks>(stop.opens, 400) + static_cast<Ticks>(rng.Below(200));
    if (rng.Below(4) == 0) stop.release = 100;
    if (rng.Below(4) == 0 && stop.release == 0) stop.leaves_by = 50;
    if (rng.Below(2) == 0) stop.prize = rng.Below(200);
    problem.stops.push_back(stop);
  }
  return problem;
}

int64_t LowestCost(const PrizeProblem& problem) {
  const size_t stops = problem.stops.size();
  const size_t sets = size_t{1} << stops;
  std::vector<int64_t> route(sets, kImpossible);  // least travel of one route, by set
  for (size_t set = 1; set < sets; ++set) {
    std::vector<int> members;
    for (size_t i = 0; i < stops; ++i) {
      if (set >> i & 1) members.push_back(static_cast<int>(i));
    }
    route[set] = LeastTravel(problem, members);
  }
  std::vector<int64_t> cost(sets, kImpossible);  // least cost of all stops of a set
  cost[0] = 0;
  for (size_t set = 1; set < sets; ++set) {
    size_t first = 0;
    while (!(set >> first & 1)) ++first;
    const PrizeStop& stop = problem.stops[first];
    const size_t rest = set ^ (size_t{1} << first);
    if (!stop.mandatory()) cost[set] = cost[rest] + stop.prize;
    for (size_t part = rest;; part = (part - 1) & rest) {
      const size_t with_first = part | (size_t{1} << first);
      if (route[with_first] < kImpossible)
        cost[set] = std::min(cost[set], route[with_first] + cost[rest ^ part]);
      if (part == 0) break;
    }
  }
  return cost[sets - 1];
}

}  // namespace dray
