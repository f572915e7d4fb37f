#include "src/envs/waves/instance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "src/base/error.h"
#include "src/envs/waves/day.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    ParseInstance("town.txt", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Instance, KeepsTheNumbersOfTheFile) {
  const auto town = Town();
  EXPECT_EQ(town->name, "town");
  EXPECT_EQ(town->capacity, 20);
  EXPECT_EQ(town->depot_opens, 0);
  EXPECT_EQ(town->depot_closes, 28800);
  ASSERT_EQ(town->customers.size(), 8u);
  const Stop& third = town->customers[2];
  EXPECT_EQ(third.place, 3);
  EXPECT_EQ(third.opens, 9000);
  EXPECT_EQ(third.closes, 14400);
  EXPECT_EQ(third.service, 600);
  EXPECT_EQ(third.load, 3);
  EXPECT_NE(town->travel(1, 2), town->travel(2, 1));
}

TEST(Instance, EpochsFollowTheFirstAndTheLastWindow) {
  EXPECT_EQ(Town()->first_epoch, 1);
  EXPECT_EQ(Town()->last_epoch, 4);
  EXPECT_EQ(Town()->Departure(1), 7200);
  // Windows that open within the first hour begin with epoch 0.
  EXPECT_EQ(ParseInstance("town.txt", TownWith("2 7200 10800", "2 10 10800")).first_epoch, 0);
}

TEST(Instance, MistakesAreErrorsThatNameTheLine) {
  EXPECT_EQ(
      ErrorOf(TownWith("2 7200 10800", "2 10801 10800")),
      "town.txt:52: TIME_WINDOW_SECTION: node 2: the window closes at 10800, before it opens at "
      "10801; swap or fix them");
  EXPECT_EQ(ErrorOf(TownWith("CAPACITY : 20", "CAPACITY : 0")).substr(0, 20),
            "town.txt:6: CAPACITY");
  EXPECT_EQ(ErrorOf(TownWith("\n0 ", "\n")).substr(0, 32), "town.txt:7: EDGE_WEIGHT_SECTION:");
  EXPECT_EQ(ErrorOf(TownWith("\n0 ", "\n0 -")).substr(0, 32), "town.txt:8: EDGE_WEIGHT_SECTION:");
}

TEST(Instance, TimesThatAreNoSecondsAreAnError) {
  EXPECT_EQ(ErrorOf(TownWith("8 18000 21600", "8 18000000 18000001")).substr(0, 9), "town.txt:");
}

TEST(Instance, ADepotThatOpensTooLateIsAnError) {
  EXPECT_EQ(ErrorOf(TownWith("1 0 28800", "1 7201 28800")),
            "town.txt: the depot opens at 7201 s, after the first vehicles leave at 7200 s; let it "
            "open earlier");
}

TEST(SampleArrivals, MixesTheCustomersOfRequestsThatCanBeServed) {
  const auto town = Town();
  Rng rng(3, RngPurpose::kTest, 0);
  std::map<int, int> places;
  for (int i = 0; i < 500; ++i) {
    for (const Request& request : SampleArrivals(*town, 2, rng)) {
      EXPECT_TRUE(town->CanServe(request, town->Departure(2)));
      EXPECT_EQ(request.epoch, 2);
      EXPECT_EQ(request.id, 0);
      ++places[request.place];
    }
  }
  EXPECT_EQ(places.size(), 8u);
}

TEST(SampleArrivals, ComeAsOftenAsOnRealDays) {
  constexpr int kDays = 2000;
  const auto town = Town();
  Rng rng(3, RngPurpose::kTest, 0);
  int64_t sampled = 0, real = 0;
  for (int i = 0; i < kDays; ++i) {
    sampled += std::ssize(SampleArrivals(*town, 1, rng));
    real += std::ssize(Day(town, i).open());
  }
  // At most 0.5 is the standard deviation of a draw, so this is five of the difference.
  EXPECT_NEAR(sampled, real, 5 * 0.5 * std::sqrt(2.0 * kDays * kTownDraws));
}

}  // namespace
}  // namespace dray::waves
