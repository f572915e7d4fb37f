#include "src/oracle/known_cities.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

// 16 bytes of travel times.
TravelMatrix City(Ticks there) { return TravelMatrix(2, {0, there, 1, 0}); }

TEST(KnownCities, FindsWhatItHasSeen) {
  KnownCities cities(1000);
  EXPECT_FALSE(cities.Find(City(7).fingerprint()));
  cities.Add(City(7));
  cities.Add(City(8));
  const auto found = cities.Find(City(7).fingerprint());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->places(), 2);
  EXPECT_EQ((*found)(0, 1), 7);
}

TEST(KnownCities, ForgetsThoseUsedLongestAgo) {
  KnownCities cities(3 * 16);
  for (const Ticks there : {1, 2, 3}) cities.Add(City(there));
  EXPECT_TRUE(cities.Find(City(1).fingerprint()));
  cities.Add(City(4));
  EXPECT_FALSE(cities.Find(City(2).fingerprint()));
  for (const Ticks there : {1, 3, 4}) EXPECT_TRUE(cities.Find(City(there).fingerprint())) << there;
}

TEST(KnownCities, ACitySeenTwiceTakesItsRoomOnce) {
  KnownCities cities(2 * 16);
  for (const Ticks there : {1, 1, 1, 2}) cities.Add(City(there));
  EXPECT_TRUE(cities.Find(City(1).fingerprint()));
}

TEST(KnownCities, ACityLargerThanTheRoomStaysUntilTheNext) {
  KnownCities cities(10);
  cities.Add(City(1));
  EXPECT_TRUE(cities.Find(City(1).fingerprint()));
  cities.Add(City(2));
  EXPECT_FALSE(cities.Find(City(1).fingerprint()));
}

}  // namespace
}  // namespace dray
