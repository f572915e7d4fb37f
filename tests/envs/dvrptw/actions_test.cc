#include "src/envs/dvrptw/actions.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "src/base/rng.h"

namespace dray::dvrptw {
namespace {

constexpr Flexibility kTypes[] = {Flexibility::kLateDropoff, Flexibility::kEarlyPickup,
                                  Flexibility::kNone, Flexibility::kBoth};

std::vector<int> Accepted(Flexibility type) {
  std::vector<int> actions;
  for (int action = 0; action < kShiftActions; ++action) {
    if (Accepts(type, action)) actions.push_back(action);
  }
  return actions;
}

TEST(Actions, AreFourPickupShiftsByFourDropoffShifts) {
  EXPECT_EQ(ShiftOf(0).pickup_min, -30);
  EXPECT_EQ(ShiftOf(0).dropoff_min, 0);
  EXPECT_EQ(ShiftOf(6).pickup_min, -20);
  EXPECT_EQ(ShiftOf(6).dropoff_min, 20);
  EXPECT_EQ(ShiftOf(kNoShift).total_min(), 0);
  EXPECT_EQ(ShiftOf(3).total_min(), 60);
}

TEST(Actions, AShiftMovesBothEndsOfAWindow) {
  const Trip trip = {.origin = 1,
                     .destination = 2,
                     .pickup_early = 4800,
                     .pickup_late = 5100,
                     .dropoff_early = 5000,
                     .dropoff_late = 5300};
  EXPECT_EQ(Shifted(trip, kNoShift), trip);
  EXPECT_EQ(Shifted(trip, 6), (Trip{.origin = 1,
                                    .destination = 2,
                                    .pickup_early = 4600,
                                    .pickup_late = 4900,
                                    .dropoff_early = 5200,
                                    .dropoff_late = 5500}));
}

TEST(Actions, TypesAcceptWhatTheSpecificationLists) {
  EXPECT_EQ(Accepted(Flexibility::kLateDropoff), (std::vector<int>{12, 13, 14, 15}));
  EXPECT_EQ(Accepted(Flexibility::kEarlyPickup), (std::vector<int>{0, 4, 8, 12}));
  EXPECT_EQ(Accepted(Flexibility::kNone), (std::vector<int>{12}));
  EXPECT_EQ(Accepted(Flexibility::kBoth).size(), 16u);
}

TEST(Actions, MaskRowsSumTo4And4And1And16) {
  std::vector<uint8_t> masks(4 * kShiftActions, 7);
  WriteMasks(kTypes, masks);
  const int sums[] = {4, 4, 1, 16};
  for (int type = 0; type < 4; ++type) {
    const auto row = std::span(masks).subspan(type * kShiftActions, kShiftActions);
    EXPECT_EQ(std::accumulate(row.begin(), row.end(), 0), sums[type]);
    for (int action = 0; action < kShiftActions; ++action) {
      EXPECT_EQ(row[action], Accepts(kTypes[type], action));
    }
  }
}

TEST(Actions, NoiseTurnsTheAnswerToAShiftButNeverToNone) {
  Rider rider;
  rider.type = Flexibility::kLateDropoff;
  const Trip trip;
  EXPECT_TRUE(Answer(AcceptByType, rider, trip, 13, /*contrary=*/false));
  EXPECT_FALSE(Answer(AcceptByType, rider, trip, 13, /*contrary=*/true));
  EXPECT_FALSE(Answer(AcceptByType, rider, trip, 0, /*contrary=*/false));
  EXPECT_TRUE(Answer(AcceptByType, rider, trip, 0, /*contrary=*/true));
  EXPECT_TRUE(Answer(AcceptByType, rider, trip, kNoShift, /*contrary=*/true));
}

TEST(Actions, AnotherRuleCanAnswer) {
  const AcceptanceRule mornings = [](const Rider&, const Trip& trip, int) {
    return trip.pickup_early < 12 * 60 * kTicksPerMinute;
  };
  Rider rider;
  rider.type = Flexibility::kNone;
  Trip trip;
  trip.pickup_early = 9 * 60 * kTicksPerMinute;
  EXPECT_TRUE(Answer(mornings, rider, trip, 0, false));
  trip.pickup_early = 15 * 60 * kTicksPerMinute;
  EXPECT_FALSE(Answer(mornings, rider, trip, 0, false));
}

TEST(Actions, PatienceIsPaidByTheMinute) {
  EXPECT_DOUBLE_EQ(PatiencePenalty(kNoShift, 0.05), 0);
  EXPECT_DOUBLE_EQ(PatiencePenalty(3, 0.05), 3.0);
  EXPECT_DOUBLE_EQ(PatiencePenalty(9, 0.05), 1.0);
}

// (4 + 4 + 1 + 16) / (4 * 16).
TEST(Actions, ARandomOneIsAccepted25TimesOutOf64) {
  int pairs = 0;
  for (const Flexibility type : kTypes) pairs += static_cast<int>(Accepted(type).size());
  EXPECT_EQ(pairs, 25);

  Rng rng(1, RngPurpose::kTest, 0);
  const int n = 200000;
  int accepted = 0;
  Rider rider;
  for (int i = 0; i < n; ++i) {
    rider.type = static_cast<Flexibility>(rng.Below(4));
    accepted += Answer(AcceptByType, rider, {}, static_cast<int>(rng.Below(16)), false);
  }
  EXPECT_NEAR(accepted / static_cast<double>(n), 25.0 / 64, 0.005);
}

TEST(Actions, LegacyExplorationKeepsOneAllowedAction) {
  for (int i = 0; i < 4; ++i) {
    ActionMask mask = MaskOf(Flexibility::kEarlyPickup);
    KeepOneAction((i + 0.5) / 4, mask);
    ActionMask expected{};
    expected[4 * i] = 1;
    EXPECT_EQ(mask, expected);
  }
}

}  // namespace
}  // namespace dray::dvrptw
