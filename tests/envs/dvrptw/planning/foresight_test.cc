#include "src/envs/dvrptw/planning/foresight.h"

#include <gtest/gtest.h>

#include "src/envs/delivery/random_streams.h"
#include "src/envs/dvrptw/planning/appraiser.h"
#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

constexpr Foresight::Settings kSettings{
    .patience_weight = 0.05, .unserved_penalty = 100, .rounds = 0};

TEST(Foresight, WithNobodyToComeIsTheImprovedPlanAndThePatienceOfTheShift) {
  const ADay a(29);
  Options options(*a.world, kSettings.patience_weight);
  options.Load(a.day, kAllActions);
  Foresight foresight(*a.world, kSettings);
  ASSERT_FALSE(options.actions().empty());
  for (const int action : options.actions()) {
    Sketch improved = options.after(action);
    improved.Improve();
    EXPECT_DOUBLE_EQ(foresight.Play(options, action, {}, 0),
                     Minutes(improved.cost()) + PatiencePenalty(action, 0.05));
  }
}

TEST(Foresight, CountsThePatienceOfRidersToCome) {
  const ADay a(3);
  std::vector<int> pending = PendingRiders(*a.world, a.day);
  Options options(*a.world, 0);
  options.Load(a.day, kAllActions);
  Future future;
  Rng rng = delivery::DecisionRng(a.day.key(), a.day.step(), 0);
  DrawFuture(*a.world, a.TrueTypes(), pending, rng, future);
  Foresight free(*a.world, {.patience_weight = 0, .unserved_penalty = 0, .rounds = 0});
  // As if shifts cost nothing when they are chosen, but are paid for afterwards.
  Sketch plan = options.after(kNoShift);
  double shift_min = 0;
  for (const FutureRequest& request : future) {
    const Sketch::Seat seat = plan.Cheapest(*request.trip, ShiftRange::Of(request.type));
    shift_min += ShiftOf(seat.action).total_min();
    plan.Add(*request.trip, seat);
  }
  plan.Improve();
  EXPECT_DOUBLE_EQ(free.Play(options, kNoShift, future, 0), Minutes(plan.cost()));
  EXPECT_GT(shift_min, 0);
}

TEST(Foresight, TheSameChanceGivesTheSameEndAndRoundsLowerItOnAverage) {
  const ADay a(5);
  std::vector<int> pending = PendingRiders(*a.world, a.day);
  Options options(*a.world, kSettings.patience_weight);
  options.Load(a.day, kAllActions);
  Foresight::Settings thorough = kSettings;
  thorough.rounds = 20;
  Foresight plain(*a.world, kSettings), better(*a.world, thorough);
  Rng rng = delivery::DecisionRng(a.day.key(), a.day.step(), 0);
  Future future;
  double gain = 0;
  for (uint64_t i = 0; i < 10; ++i) {
    DrawFuture(*a.world, a.TrueTypes(), pending, rng, future);
    const double end = better.Play(options, kNoShift, future, i);
    EXPECT_EQ(end, better.Play(options, kNoShift, future, i));
    gain += plain.Play(options, kNoShift, future, i) - end;
  }
  EXPECT_GT(gain, 0);
}

TEST(Foresight, ShiftsOfRidersToComeAreOpenUntilTheEndOfTheDay) {
  // Rounds that may change shifts save more than rounds that may not.
  const ADay a(2);
  std::vector<int> pending = PendingRiders(*a.world, a.day);
  Options options(*a.world, kSettings.patience_weight);
  options.Load(a.day, kAllActions);
  Foresight::Settings thorough = kSettings;
  thorough.rounds = 30;
  Foresight open(*a.world, thorough);
  Rng rng = delivery::DecisionRng(a.day.key(), a.day.step(), 0);
  Future future;
  double gain = 0;
  for (uint64_t i = 0; i < 10; ++i) {
    DrawFuture(*a.world, a.TrueTypes(), pending, rng, future);
    Sketch agreed = options.after(kNoShift);
    for (const FutureRequest& request : future) {
      agreed.Add(*request.trip, agreed.Cheapest(*request.trip, ShiftRange::Of(request.type)));
    }
    agreed.Improve();
    Rng chance(i, delivery::kFuturesStream, 0);
    agreed.RuinAndRecreate(thorough.rounds, chance);
    agreed.Improve();
    gain += Minutes(agreed.cost()) + agreed.patience() / kTicksPerMinute -
            open.Play(options, kNoShift, future, i);
  }
  EXPECT_GT(gain, 0);
}

TEST(Foresight, ChargesForWhoCannotBeServed) {
  DvrptwConfig config;
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  ADay a(0, 0, config);
  Options options(*a.world, kSettings.patience_weight);
  options.Load(a.day, kAllActions);
  const Trip again = a.day.asked();
  const Future five_more(5, {&again, Flexibility::kNone});
  Foresight foresight(*a.world, kSettings);
  const double two_dropped = foresight.Play(options, kNoShift, five_more, 0);
  const Future three_more(3, {&again, Flexibility::kNone});
  // Four seats, and the same ride for all.
  EXPECT_DOUBLE_EQ(two_dropped, foresight.Play(options, kNoShift, three_more, 0) + 200);
}

TEST(Appraiser, GivesWhatIsRefusedTheWorthOfNoShift) {
  const ADay a(6);
  Appraiser appraiser(*a.world, kSettings, /*futures=*/2);
  std::array<uint8_t, kShiftActions> accepted{};
  accepted[kNoShift] = accepted[13] = accepted[15] = 1;
  std::array<float, kShiftActions> gains;
  appraiser.Appraise(a.day, accepted, gains);
  for (int action = 0; action < kShiftActions; ++action) {
    if (action != 13 && action != 15) {
      EXPECT_EQ(gains[static_cast<size_t>(action)], 0) << action;
    }
  }
  EXPECT_NE(gains[15], 0);
  // The same decision is appraised the same.
  std::array<float, kShiftActions> again;
  appraiser.Appraise(a.day, accepted, again);
  EXPECT_EQ(gains, again);
}

TEST(Appraiser, OfTheLastDecisionIsExact) {
  const ADay a(29);
  Options options(*a.world, kSettings.patience_weight);
  options.Load(a.day, kAllActions);
  Foresight foresight(*a.world, kSettings);
  Appraiser appraiser(*a.world, kSettings, /*futures=*/3);
  std::array<float, kShiftActions> gains;
  appraiser.Appraise(a.day, kAllActions, gains);
  const double unshifted = foresight.Play(options, kNoShift, {}, 0);
  ASSERT_FALSE(options.actions().empty());
  for (const int action : options.actions()) {
    EXPECT_NEAR(gains[static_cast<size_t>(action)],
                unshifted - foresight.Play(options, action, {}, 0), 1e-4);
  }
}

}  // namespace
}  // namespace dray::dvrptw
