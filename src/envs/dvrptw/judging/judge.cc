#include "src/envs/dvrptw/judging/judge.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "src/base/error.h"

namespace dray {

Judge::Judge(int rounds, int searches)
    : oracle_({.rounds = rounds, .seed = 77, .searches = searches}) {}

OracleAnswer Judge::Price(const Problem& problem) {
  std::vector<int> order(problem.requests.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&problem](int request) {
    const Stop& pickup = problem.stops[problem.requests[request].pickup];
    const Stop& dropoff = problem.stops[problem.requests[request].delivery];
    return std::make_tuple(pickup.opens, pickup.closes, dropoff.opens, dropoff.closes, pickup.place,
                           dropoff.place);
  };
  std::ranges::sort(order, {}, rank);
  Problem sorted = problem;
  sorted.stops.clear();
  sorted.requests.clear();
  for (const int request : order) {
    const int first = static_cast<int>(sorted.stops.size());
    sorted.stops.push_back(problem.stops[problem.requests[request].pickup]);
    sorted.stops.push_back(problem.stops[problem.requests[request].delivery]);
    sorted.requests.push_back({first, first + 1});
  }
  OracleAnswer answer = oracle_.SolveOne(sorted);
  for (auto& route : answer.plan.routes) {
    for (int& stop : route) {
      const Request& request = problem.requests[order[static_cast<size_t>(stop / 2)]];
      stop = stop % 2 == 0 ? request.pickup : request.delivery;
    }
  }
  const Simulation driven = Simulate(problem, answer.plan);
  DRAY_CHECK(driven.violations.empty());
  DRAY_CHECK_EQ(driven.cost.total(), answer.cost.total());
  return answer;
}

}  // namespace dray
