#include "src/envs/waves/policies/dispatch_policy.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "src/base/error.h"
#include "src/envs/waves/generated_instance.h"

namespace dray::waves {
namespace {

std::shared_ptr<const Instance> Generated(int draws) {
  Instance instance = GenerateInstance(3, 60);
  instance.draws = draws;
  return std::make_shared<const Instance>(std::move(instance));
}

Day Played(const std::string& policy, std::shared_ptr<const Instance> instance, uint64_t seed,
           int64_t rounds) {
  const auto plays = MakePolicy(policy);
  Rng rng(1, RngPurpose::kTest, seed);
  Day day(std::move(instance), seed);
  while (!day.done()) day.Dispatch(plays->Decide(day, {.rounds = rounds}, rng));
  return day;
}

TEST(DispatchPolicy, EveryPolicyGivesRoutesThatTheRulesAllow) {
  for (const char* policy : {"greedy", "lazy", "random", "conditional"}) {
    const Day day = Played(policy, Generated(15), 4, 600);
    EXPECT_GT(day.cost(), 0) << policy;
    EXPECT_TRUE(day.open().empty()) << policy;
  }
}

TEST(DispatchPolicy, GreedyKeepsNothingAndLazyAllItMay) {
  const auto instance = Generated(15);
  const auto greedy = MakePolicy("greedy"), lazy = MakePolicy("lazy");
  Rng rng(1, RngPurpose::kTest, 0);
  Day day(instance, 9);
  int waited = 0;
  while (!day.last_epoch()) {
    size_t all = 0, some = 0, must = 0;
    for (const auto& route : greedy->Decide(day, {.rounds = 50}, rng)) all += route.size();
    const Routes routes = lazy->Decide(day, {.rounds = 50}, rng);
    for (const auto& route : routes) some += route.size();
    for (const Request& request : day.open()) must += request.must_go;
    EXPECT_EQ(all, day.open().size());
    EXPECT_EQ(some, must);
    waited += static_cast<int>(all - some);
    day.Dispatch(routes);
  }
  EXPECT_GT(waited, 0);
}

// The effort is counted in rounds, so this comes out the same on every machine.
TEST(DispatchPolicy, ConditionalDispatchIsCheaperThanGreedyAndLazy) {
  const auto instance = Generated(25);
  int64_t conditional = 0, greedy = 0, lazy = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    conditional += Played("conditional", instance, seed, 6000).cost();
    greedy += Played("greedy", instance, seed, 6000).cost();
    lazy += Played("lazy", instance, seed, 6000).cost();
  }
  EXPECT_LT(conditional, greedy * 0.97);
  EXPECT_LT(conditional, lazy * 0.97);
}

TEST(DispatchPolicy, TheSameRoundsGiveTheSameDay) {
  const auto instance = Generated(12);
  const auto routes = [&] {
    const Day day = Played("conditional", instance, 2, 900);
    return std::vector<Routes>(day.dispatched().begin(), day.dispatched().end());
  };
  EXPECT_EQ(routes(), routes());
}

TEST(DispatchPolicy, RefusesAnUnknownName) {
  try {
    MakePolicy("best");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "'best' is not a policy for waves; use greedy, lazy, random or conditional");
  }
}

}  // namespace
}  // namespace dray::waves
