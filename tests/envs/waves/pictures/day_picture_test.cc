#include "src/envs/waves/pictures/day_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "src/base/error.h"
#include "src/envs/waves/policies/dispatch_policy.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

using testing::HasSubstr;

int64_t CountIn(const std::string& text, const std::string& part) {
  int64_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Day Played(const std::string& policy) {
  Day day(Town(), /*seed=*/3);
  Rng rng(1, RngPurpose::kTest, 0);
  while (!day.done()) day.Dispatch(MakePolicy(policy)->Decide(day, {.rounds = 50}, rng));
  return day;
}

TEST(DayPicture, EveryRequestHasARowWithItsTimes) {
  const Day day = Played("lazy");
  const auto requests = std::ssize(day.arrived());
  ASSERT_GT(requests, 5);
  const std::string svg = DayPicture(day, "A <day>");
  EXPECT_THAT(svg, HasSubstr("A &lt;day&gt;"));
  for (const char* kind : {"window", "waits", "drives", "served"}) {
    EXPECT_EQ(CountIn(svg, Cat("class=\"", kind, "\"")), requests) << kind;
  }
  // Each route ends at the depot once.
  int64_t routes = 0;
  for (const Routes& wave : day.dispatched()) routes += std::ssize(wave);
  EXPECT_EQ(CountIn(svg, "class=\"route\""), routes - 1);
}

TEST(DayPicture, TheHoverTellsWhatHappened) {
  const Day day = Played("greedy");
  int wave = 0;
  while (day.dispatched()[wave].empty()) ++wave;
  const int id = day.dispatched()[wave].front().front();
  const Request& request = day.arrived()[id - 1];
  const Ticks leaves = day.instance().Departure(day.instance().first_epoch + wave);
  const Ticks served = std::max(leaves + day.instance().travel(0, request.place), request.opens);
  char expected[80];
  std::snprintf(expected, sizeof(expected),
                "request %d at place %d: known at %02d:00, leaves at %02d:00", id, request.place,
                request.epoch, leaves / 3600);
  const std::string svg = DayPicture(day, "day");
  EXPECT_THAT(svg, HasSubstr(expected));
  std::snprintf(expected, sizeof(expected), "served at %02d:%02d", served / 3600, served / 60 % 60);
  EXPECT_THAT(svg, HasSubstr(expected));
}

TEST(DayPicture, ADayThatIsNotOverIsABug) {
  EXPECT_DEATH(DayPicture(Day(Town(), 3), "day"), "done");
}

TEST(DayMap, VehiclesAreBackWhenTheyWere) {
  const Day day = Played("greedy");
  const std::string svg = DayMap(day, "map");
  // The last vehicle that leaves is back when the day's routes say so.
  const Instance& instance = day.instance();
  Ticks now = instance.Departure(instance.last_epoch);
  int place = 0;
  for (const int id : day.dispatched().back().back()) {
    const Request& request = day.arrived()[id - 1];
    now = std::max(now + instance.travel(place, request.place), request.opens) + request.service;
    place = request.place;
  }
  now += instance.travel(place, 0);
  char back[16];
  std::snprintf(back, sizeof(back), ">%02d:%02d<", now / 3600, now / 60 % 60);
  EXPECT_THAT(svg, HasSubstr(back));
}

}  // namespace
}  // namespace dray::waves
