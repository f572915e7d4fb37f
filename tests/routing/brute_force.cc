#include "tests/routing/brute_force.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

class Search {
 public:
  explicit Search(const Problem& problem) : problem_(problem) {}

  // The best plan that serves all requests but those in the set of bits `left_out`.
  void Run(uint32_t left_out) {
    stops_.clear();
    for (size_t i = 0; i < problem_.requests.size(); ++i) {
      if (left_out >> i & 1) continue;
      stops_.push_back(problem_.requests[i].pickup);
      if (problem_.requests[i].paired()) stops_.push_back(problem_.requests[i].delivery);
    }
    Extend(0);
  }

  const std::optional<BruteForceAnswer>& best() const { return best_; }

 private:
  // Puts stop number i at every position of every route and into a route of its own: each plan
  // comes up exactly once.
  void Extend(size_t i) {
    if (i == stops_.size()) return Judge();
    for (size_t route = 0; route < plan_.routes.size(); ++route) {
      for (size_t position = 0; position <= plan_.routes[route].size(); ++position) {
        plan_.routes[route].insert(plan_.routes[route].begin() + position, stops_[i]);
        Extend(i + 1);
        plan_.routes[route].erase(plan_.routes[route].begin() + position);
      }
    }
    plan_.routes.push_back({stops_[i]});
    Extend(i + 1);
    plan_.routes.pop_back();
  }

  void Judge() {
    const Simulation simulation = Simulate(problem_, plan_);
    if (!simulation.violations.empty()) return;
    if (best_ && best_->cost.total() <= simulation.cost.total()) return;
    best_ = BruteForceAnswer{plan_, simulation.cost};
  }

  const Problem& problem_;
  std::vector<int> stops_;
  Plan plan_;
  std::optional<BruteForceAnswer> best_;
};

}  // namespace

BruteForceAnswer BruteForce(const Problem& problem) {
  DRAY_CHECK_LE(problem.stops.size(), 8u);
  const int requests = static_cast<int>(problem.requests.size());
  for (int unserved = 0; unserved < requests; ++unserved) {
    Search search(problem);
    for (uint32_t left_out = 0; left_out < 1u << requests; ++left_out) {
      if (std::popcount(left_out) == unserved) search.Run(left_out);
    }
    if (search.best()) return *search.best();
  }
  return {{}, Simulate(problem, {}).cost};
}

}  // namespace dray
