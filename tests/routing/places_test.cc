#include "src/routing/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/error_text.h"
#include "tests/routing/file_texts.h"

namespace dray {
namespace {

using testing::ElementsAre;

constexpr char kPlaces[] =
    "place,lat,lon\n"
    "depot,52.52,13.405\n"
    "north,52.565,13.405\n"
    "east,52.52,13.48\n";

std::string ErrorOf(const std::string& text) {
  return UsageErrorOf([&] { ParsePlaces("places.csv", text); });
}

std::string ErrorWith(const std::string& old_part, const std::string& new_part) {
  return ErrorOf(With(kPlaces, old_part, new_part));
}

TEST(Places, DegreesBecomeKilometresAndMinutes) {
  const PlaceTable places = ParsePlaces("places.csv", kPlaces);
  EXPECT_THAT(places.names, ElementsAre("depot", "north", "east"));
  EXPECT_NEAR(places.km[1], 5.0038, 1e-3);  // 0.045 degrees of a meridian
  EXPECT_EQ(places.km[0], 0);
  EXPECT_EQ(places.km[1], places.km[3]);
  const TravelMatrix travel = TravelAtSpeed(places, 30);
  EXPECT_EQ(travel(0, 1), 100);  // 10.0 min
  EXPECT_EQ(TravelAtSpeed(places, 60)(0, 1), 50);
}

TEST(Places, KilometresAreTakenAsTheyAre) {
  const PlaceTable places = ParsePlaces("places.csv", "name;X;Y\na;0;0\nb;3,0;4,0\n");
  EXPECT_THAT(places.km, ElementsAre(0, 5, 5, 0));
  EXPECT_EQ(TravelAtSpeed(places, 30)(0, 1), 100);
}

TEST(Places, OtherNamesOfTheColumnsAreKnown) {
  const std::string text = With(With(kPlaces, "lat", "Latitude"), "lon", "longitude");
  EXPECT_EQ(ParsePlaces("p", text).km, ParsePlaces("p", kPlaces).km);
}

TEST(Places, WhatIsWrongNamesFileLineAndField) {
  EXPECT_EQ(ErrorWith("north,52.565", "north,152.565"),
            "places.csv:3: lat: must be from -90 to 90 degrees, found 152.565; latitude and "
            "longitude may be swapped");
  EXPECT_EQ(
      ErrorWith("13.48", "213.48"),
      "places.csv:4: lon: must be from -180 to 180 degrees, found 213.48; write degrees, such "
      "as 52.52");
  EXPECT_EQ(ErrorWith("52.565", "2000"),
            "places.csv:3: lat: must be from -90 to 90 degrees, found 2000; write degrees, such as "
            "52.52");
  EXPECT_EQ(ErrorWith("east", ""), "places.csv:4: place: is empty; name the place");
  EXPECT_EQ(ErrorWith("east", "north"),
            "places.csv:4: place: 'north' appears twice, first in line 3; give every place a "
            "unique name");
  EXPECT_EQ(ErrorOf("place,lat,lon\na,1,1\n"),
            "places.csv:2: place: expected from 2 to 2000 places, found 1; write a line for each");
  EXPECT_EQ(ErrorOf("place,lat\na,1\n"),
            "places.csv:1: lon: the column is missing; the first line must name place,lat,lon");
}

TEST(Places, ASwappedLatitudeAndLongitudeIsSaidToBe) {
  EXPECT_EQ(ErrorWith("north,52.565,13.405", "north,13.405,52.565"),
            "places.csv:3: lat: is 5559 km away from line 2, but 5 km with latitude and longitude "
            "swapped; swap them in one of the two lines");
  EXPECT_EQ(ErrorWith("depot,52.52,13.405", "depot,13.405,52.52").substr(0, 50),
            "places.csv:3: lat: is 5559 km away from line 2, bu");
  // Far away is not swapped.
  ParsePlaces("places.csv", With(kPlaces, "north,52.565", "north,-52.565"));
}

TEST(Places, ARowThatRepeatsAnotherIsRefused) {
  EXPECT_EQ(ErrorWith("east,52.52,13.48", "north,52.565,13.405"),
            "places.csv:4: place: the line repeats line 3 exactly; remove one of the two");
}

TEST(Places, DistancesThatVanishAreRefused) {
  // Kilometres given as degrees of a building: all within some metres.
  EXPECT_EQ(UsageErrorOf([] {
              TravelAtSpeed(ParsePlaces("p.csv", "place,x,y\na,0,0\nb,0.01,0\nc,0,0.02\n"), 30);
            }).substr(0, 47),
            "p.csv: x, y: the longest travel time is 0.04472");
  const std::string far = UsageErrorOf(
      [] { TravelAtSpeed(ParsePlaces("p.csv", "place,x,y\na,0,0\nb,1e100,0\n"), 30); });
  EXPECT_EQ(far.substr(0, 48), "p.csv: x, y: two places are 1e+100 km apart, too");
}

}  // namespace
}  // namespace dray
