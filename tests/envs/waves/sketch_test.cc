#include "src/envs/waves/sketch.h"

#include <gtest/gtest.h>

#include "src/envs/waves/generated_instance.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

// Returns the cheapest driving time after inserting the request anywhere that the rules allow.
int64_t CheapestByTrial(const Day& day, const Routes& routes, int id) {
  Routes with = routes;
  with.push_back({id});
  int64_t best = day.DrivingTime(with);
  for (size_t r = 0; r < routes.size(); ++r) {
    for (size_t i = 0; i <= routes[r].size(); ++i) {
      with = {routes[r]};
      with[0].insert(with[0].begin() + static_cast<int64_t>(i), id);
      // What must go may be in another route.
      const std::string fault = day.FindFault(with).value_or("");
      if (!fault.empty() && fault.find("is in no route") == std::string::npos) continue;
      with = routes;
      with[r].insert(with[r].begin() + static_cast<int64_t>(i), id);
      best = std::min(best, day.DrivingTime(with));
    }
  }
  return best;
}

TEST(Sketch, InsertsWhereTrialOfEveryPlaceIsCheapest) {
  const auto instance = std::make_shared<const Instance>(GenerateInstance(4, 30));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Day day(instance, seed);
    Sketch sketch(*instance, day.departure());
    for (const Request& request : day.open().first(25)) {
      const int64_t best = CheapestByTrial(day, sketch.routes(), request.id);
      sketch.Insert(request);
      ASSERT_EQ(sketch.cost(), best);
      ASSERT_EQ(day.DrivingTime(sketch.routes()), best);
    }
  }
}

TEST(Sketch, RoutesObeyTheRules) {
  Day day(Town(), 7);
  while (!day.done()) {
    Sketch sketch(day.instance(), day.departure());
    for (const Request& request : day.open()) sketch.Insert(request);
    EXPECT_EQ(day.FindFault(sketch.routes()).value_or(""), "");
    day.Dispatch(sketch.routes());
  }
}

}  // namespace
}  // namespace dray::waves
