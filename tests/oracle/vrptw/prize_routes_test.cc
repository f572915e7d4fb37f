#include "src/oracle/vrptw/prize_routes.h"

#include <gtest/gtest.h>

#include <optional>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "tests/oracle/vrptw/prize_problems.h"

namespace dray {
namespace {

// Returns the travel of a route by the rules alone; nothing if it breaks one.
std::optional<int64_t> TravelOf(const PrizeProblem& problem, const std::vector<int>& route) {
  PrizeProblem optional = problem;
  for (PrizeStop& stop : optional.stops) stop.prize = 0;
  try {
    return CheckedPlan(optional, {route}).travel;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Every answer about a gap is that of the rules, while routes grow and shrink at random.
TEST(PrizeRoutes, AnswersAsTheRulesDo) {
  int fitting = 0, refused = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const PrizeProblem problem = RandomPrizeProblem(25, seed);
    PrizeRoutes routes(problem);
    Rng rng(seed, RngPurpose::kTest, 1);
    for (int step = 0; step < 120; ++step) {
      const auto stop = static_cast<int>(rng.Below(25));
      if (routes.RouteOf(stop) != PrizeRoutes::kNone) {
        std::vector<int> removed;
        routes.RemoveString(routes.RouteOf(stop), 0, routes.Length(routes.RouteOf(stop)), 0, 1,
                            removed);
        continue;
      }
      std::optional<PrizeRoutes::Gap> chosen;
      for (const std::vector<int>& list : routes.Lists()) {
        const int64_t before = *TravelOf(problem, list);
        for (size_t at = 0; at <= list.size(); ++at) {
          std::vector<int> longer = list;
          longer.insert(longer.begin() + at, stop);
          const std::optional<int64_t> travel = TravelOf(problem, longer);
          PrizeRoutes::Gap gap;
          if (at > 0) {
            routes.TryAfter(stop, {.node = list[at - 1], .leg = routes.Travel(list[at - 1], stop)},
                            gap);
          } else {
            routes.TryBefore(stop, {.node = list[0], .leg = routes.Travel(stop, list[0])}, gap);
          }
          ASSERT_EQ(gap.route != PrizeRoutes::kNone, travel.has_value());
          ++(travel ? fitting : refused);
          if (!travel) continue;
          ASSERT_EQ(gap.cost, *travel - before);
          if (!chosen || rng.Below(3) == 0) chosen = gap;
        }
      }
      if (!chosen) {
        chosen.emplace();
        routes.TryAlone(stop, *chosen);
      }
      routes.Insert(stop, *chosen);
      int64_t travel = 0;
      for (const std::vector<int>& list : routes.Lists()) travel += *TravelOf(problem, list);
      ASSERT_EQ(routes.travel(), travel);
    }
  }
  EXPECT_GT(fitting, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace dray
