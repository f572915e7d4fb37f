#include "src/envs/dvrptw/planning/outlook.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

std::vector<float> OutlookOf(const ADay& a, std::span<const uint8_t> mask) {
  Outlook outlook(*a.world, 0.05);
  std::vector<float> out(kOutlookSize);
  outlook.Write(a.day, mask, Beliefs(static_cast<int>(a.world->riders.size())), out);
  return out;
}

std::span<const float> ActionOf(const std::vector<float>& outlook, int action) {
  return std::span(outlook).subspan(static_cast<size_t>(action * kOutlookActionSize),
                                    kOutlookActionSize);
}

TEST(Outlook, ShowsAllowedActionsAlone) {
  const ADay a(10);
  const std::vector<float> outlook = OutlookOf(a, MaskOf(Flexibility::kEarlyPickup));
  for (int action = 0; action < kShiftActions; ++action) {
    const auto numbers = ActionOf(outlook, action);
    const bool allowed = MaskOf(Flexibility::kEarlyPickup)[static_cast<size_t>(action)] != 0;
    EXPECT_EQ(numbers[0], allowed ? 1 : 0);
    if (!allowed) {
      for (const float number : numbers) EXPECT_EQ(number, 0);
    }
  }
}

TEST(Outlook, ComparesEveryActionWithNoShift) {
  const ADay a(10);
  const std::vector<float> outlook = OutlookOf(a, kAllActions);
  const auto unshifted = ActionOf(outlook, kNoShift);
  // Whether it takes a new vehicle is told of each action by itself.
  for (size_t i = 1; i < kOutlookActionSize; ++i) {
    if (i != 14) {
      EXPECT_EQ(unshifted[i], 0) << i;
    }
  }
  const auto most = ActionOf(outlook, 3);
  EXPECT_EQ(most[15], 1);  // both shifts by half an hour
  EXPECT_EQ(most[16], 1);
}

TEST(Outlook, PricesActionsAsTheInsertionDoes) {
  const ADay a(10);
  const std::vector<float> outlook = OutlookOf(a, kAllActions);
  Options options(*a.world, 0.05);
  options.Load(a.day, kAllActions);
  ASSERT_FALSE(options.actions().empty());
  for (const int action : options.actions()) {
    const double added = options.seat(action).price - options.seat(kNoShift).price;
    EXPECT_NEAR(ActionOf(outlook, action)[1], added / (10 * kTicksPerMinute), 1e-5);
  }
}

TEST(Outlook, CountsRequestsByHour) {
  const ADay a(10);
  const std::vector<float> outlook = OutlookOf(a, kAllActions);
  const auto hours = std::span(outlook).last(3 * kOutlookHours);
  const auto sum = [&](size_t part) {
    const auto bins = hours.subspan(part * kOutlookHours, kOutlookHours);
    return std::accumulate(bins.begin(), bins.end(), 0.0) * 5;
  };
  EXPECT_NEAR(sum(0), 10, 1e-4);  // agreed
  EXPECT_NEAR(sum(1), 19, 1e-3);  // expected
  EXPECT_NEAR(sum(2), 1, 1e-5);   // this one
}

TEST(Outlook, HasNothingToExpectOfTheLastRequest) {
  const ADay a(29);
  const std::vector<float> outlook = OutlookOf(a, kAllActions);
  for (int action = 0; action < kShiftActions; ++action) {
    const auto numbers = ActionOf(outlook, action);
    for (const size_t i : {3, 4, 5, 12, 13}) EXPECT_EQ(numbers[i], 0) << action << " " << i;
  }
}

TEST(Outlook, IsTheSameForTheSameDecision) {
  const ADay a(10);
  EXPECT_EQ(OutlookOf(a, kAllActions), OutlookOf(a, kAllActions));
}

}  // namespace
}  // namespace dray::dvrptw
