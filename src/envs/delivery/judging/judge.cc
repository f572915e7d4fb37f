#include "src/envs/delivery/judging/judge.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "src/base/error.h"

namespace dray::delivery {
namespace {

// Sort key that does not depend on the order of arrival: windows, then places, then load.
auto RankOf(const Problem& problem, int index) {
  const Request& request = problem.requests[index];
  const Stop& pickup = problem.stops[request.pickup];
  const Stop& last = request.paired() ? problem.stops[request.delivery] : pickup;
  return std::make_tuple(pickup.opens, pickup.closes, last.opens, last.closes, pickup.place,
                         last.place, pickup.load);
}

}  // namespace

Judge::Judge(int rounds, int searches)
    : oracle_({.rounds = rounds, .seed = 77, .searches = searches}) {}

OracleAnswer Judge::Price(const Problem& problem) {
  std::vector<int> order(problem.requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&problem](int request) { return RankOf(problem, request); });
  Problem sorted = problem;
  sorted.stops.clear();
  sorted.requests.clear();
  std::vector<int> original;  // by stop of `sorted`
  for (const int index : order) {
    Request request = problem.requests[index];
    for (int* end : {&request.pickup, &request.delivery}) {
      if (*end < 0) continue;
      original.push_back(*end);
      sorted.stops.push_back(problem.stops[*end]);
      *end = std::ssize(sorted.stops) - 1;
    }
    sorted.requests.push_back(request);
  }
  OracleAnswer answer = oracle_.SolveOne(sorted);
  for (auto& route : answer.plan.routes) {
    for (int& stop : route) stop = original[stop];
  }
  const Simulation driven = Simulate(problem, answer.plan);
  DRAY_CHECK(driven.violations.empty());
  DRAY_CHECK_EQ(driven.cost.total(), answer.cost.total());
  return answer;
}

}  // namespace dray::delivery
