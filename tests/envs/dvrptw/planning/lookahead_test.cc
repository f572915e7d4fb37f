#include "src/envs/dvrptw/planning/lookahead.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

Lookahead::Settings WithFutures(int futures) {
  return {.limits = {.futures = futures, .decision_ms = 0},
          .foresight = {.patience_weight = 0.05, .unserved_penalty = 100, .rounds = 0}};
}

int BestAtTheEnd(const ADay& a, std::span<const uint8_t> mask) {
  Options options(*a.world, 0.05);
  options.Load(a.day, mask);
  Foresight foresight(*a.world, WithFutures(1).foresight);
  const auto value = [&](int action) { return foresight.Play(options, action, {}, 0); };
  return std::ranges::min(options.actions(), {}, value);
}

TEST(Lookahead, OfTheLastDecisionTakesWhatEndsBest) {
  int shifts = 0;
  for (uint64_t episode = 0; episode < 10; ++episode) {
    const ADay a(29, episode);
    Lookahead lookahead(*a.world, WithFutures(1));
    const auto& mask = MaskOf(a.day.rider().type);
    const int chosen = lookahead.Decide(a.day, mask, a.TrueTypes(), {});
    EXPECT_EQ(chosen, BestAtTheEnd(a, mask)) << episode;
    shifts += chosen != kNoShift;
  }
  EXPECT_GT(shifts, 0);
}

TEST(Lookahead, ChoosesWithinTheMaskAndTheSameEachTime) {
  const ADay a(8);
  for (const Flexibility type :
       {Flexibility::kLateDropoff, Flexibility::kEarlyPickup, Flexibility::kNone}) {
    Lookahead lookahead(*a.world, WithFutures(8));
    const int chosen = lookahead.Decide(a.day, MaskOf(type), a.TrueTypes(), {});
    EXPECT_EQ(MaskOf(type)[static_cast<size_t>(chosen)], 1);
    EXPECT_EQ(lookahead.Decide(a.day, MaskOf(type), a.TrueTypes(), {}), chosen);
  }
}

TEST(Lookahead, DropsShiftsThatAreClearlyWorse) {
  const ADay a(20);
  Lookahead lookahead(*a.world, WithFutures(256));
  Options options(*a.world, 0.05);
  options.Load(a.day, kAllActions);
  std::vector<TypeBelief> beliefs = a.TrueTypes();
  beliefs[static_cast<size_t>(a.day.arrival().rider)] = {0, 0, 0, 1};
  lookahead.Decide(a.day, kAllActions, beliefs, {});
  EXPECT_LT(lookahead.played(), 256 * static_cast<int64_t>(options.actions().size()) / 2);
}

TEST(Lookahead, ProposesNothingToARiderWhoWillSurelyRefuse) {
  // A shift that is refused comes to the same as none; of equals, no shift is taken.
  const ADay a(20);
  std::vector<TypeBelief> beliefs = a.TrueTypes();
  beliefs[static_cast<size_t>(a.day.arrival().rider)] = {0, 0, 1, 0};
  Lookahead lookahead(*a.world, WithFutures(4));
  EXPECT_EQ(lookahead.Decide(a.day, kAllActions, beliefs, {}), kNoShift);
}

TEST(Lookahead, FollowsAPriorThatIsSureOfItself) {
  const ADay a(8);
  std::vector<TypeBelief> beliefs = a.TrueTypes();
  beliefs[static_cast<size_t>(a.day.arrival().rider)] = {0, 0, 0, 1};
  std::array<float, kShiftActions> minutes;
  for (const int favourite : {3, 8, 12}) {
    minutes.fill(10);
    minutes[static_cast<size_t>(favourite)] = 0;
    Lookahead lookahead(*a.world, WithFutures(8));
    EXPECT_EQ(lookahead.Decide(a.day, kAllActions, beliefs, {minutes, 1e6}), favourite);
  }
}

TEST(Lookahead, StopsWhenItsTimeIsUp) {
  const ADay a(0);
  Lookahead::Settings settings = WithFutures(1000000);
  settings.limits.decision_ms = 1e-6;  // less than one future takes
  Lookahead lookahead(*a.world, settings);
  std::vector<TypeBelief> beliefs = a.TrueTypes();
  beliefs[static_cast<size_t>(a.day.arrival().rider)] = {0, 0, 0, 1};
  lookahead.Decide(a.day, kAllActions, beliefs, {});
  EXPECT_LE(lookahead.played(), kShiftActions);
}

}  // namespace
}  // namespace dray::dvrptw
