#include "src/routing/trips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/rng.h"
#include "tests/config/error_text.h"
#include "tests/routing/file_texts.h"

namespace dray {
namespace {

using testing::ElementsAre;

constexpr char kTravel[] = "0, 10, 15.25\n10, 0, 7.5\n15, 7.5, 0\n";
constexpr char kTrips[] =
    "rider,origin,destination,pickup_early_min,pickup_late_min,dropoff_early_min,"
    "dropoff_late_min,flexibility\n"
    "ann,0,1,360,390,370,400,both\n"
    "bob,1,2,400.5,430,408,440,\n"
    "ann,1,0,600,630,610,640,3\n";

TravelMatrix Travel() { return ParseTravelMinutes("t.csv", kTravel).travel; }

std::string TripError(const std::string& old_part, const std::string& new_part) {
  return UsageErrorOf([&] { ParseTrips("trips.csv", With(kTrips, old_part, new_part), Travel()); });
}

std::string TravelError(const std::string& text) {
  return UsageErrorOf([&] { ParseTravelMinutes("t.csv", text); });
}

TEST(Trips, MinutesBecomeTicksAndRidersAreNumberedAsTheyAppear) {
  const TripTable table = ParseTrips("trips.csv", kTrips, Travel());
  EXPECT_THAT(table.riders, ElementsAre("ann", "bob"));
  EXPECT_THAT(table.flexibility, ElementsAre(3, -1));
  ASSERT_EQ(table.trips.size(), 3u);
  const Trip& trip = table.trips[1];
  EXPECT_EQ(trip.rider, 1);
  EXPECT_EQ(trip.origin, 1);
  EXPECT_EQ(trip.destination, 2);
  EXPECT_EQ(trip.pickup_early, 4005);
  EXPECT_EQ(trip.pickup_late, 4300);
  EXPECT_EQ(trip.dropoff_early, 4080);
  EXPECT_EQ(trip.dropoff_late, 4400);
  EXPECT_EQ(table.trips[2].rider, 0);
}

TEST(Trips, FlexibilityIsOptional) {
  const std::string text =
      "rider,origin,destination,pickup_early_min,pickup_late_min,dropoff_early_min,"
      "dropoff_late_min\n7,0,1,360,390,370,400\n";
  EXPECT_THAT(ParseTrips("trips.csv", text, Travel()).flexibility, ElementsAre(-1));
}

TEST(Trips, WhatIsWrongNamesFileLineAndField) {
  EXPECT_EQ(TripError("bob,1,2", "bob,1,3"),
            "trips.csv:3: destination: there is no place 3; the travel matrix has 3 places, "
            "counted from 0");
  EXPECT_EQ(TripError("bob,1,2", "bob,-1,2"),
            "trips.csv:3: origin: there is no place -1; the travel matrix has 3 places, counted "
            "from 0");
  EXPECT_EQ(TripError("bob,1,2", "bob,2,2"),
            "trips.csv:3: destination: is the origin, place 2; remove the trip");
  EXPECT_EQ(TripError("bob", ""), "trips.csv:3: rider: is empty; name the rider");
  EXPECT_EQ(TripError("360,390", "-360,390"),
            "trips.csv:2: pickup_early_min: must be from 0 to 50000000 minutes, found -360; count "
            "from midnight");
  EXPECT_EQ(TripError("370,400", "401,400"),
            "trips.csv:2: dropoff_late_min: the window closes at 400.0 min, before it opens at "
            "401.0 min; exchange the two or mend one");
  EXPECT_EQ(TripError("370,400", "360,369"),
            "trips.csv:2: dropoff_late_min: no vehicle can serve it: picked up at 360.0 min, the "
            "rider arrives at 370.0 min, after 369.0 min; widen the window");
  EXPECT_EQ(TripError("both", "some"),
            "trips.csv:2: flexibility: expected 0 to 3, late_dropoff, early_pickup, none or both, "
            "found 'some'; leave it empty if unknown");
  EXPECT_EQ(TripError("640,3", "640,2"),
            "trips.csv:4: flexibility: differs from that of an earlier trip of 'ann'; a rider has "
            "one");
  EXPECT_EQ(TripError(std::string(kTrips).substr(std::string(kTrips).find('\n') + 1), ""),
            "trips.csv:1: rider: there is no trip; add a line for each");
}

TEST(Trips, TravelIsRoundedToTicksAndMayBeAsymmetric) {
  const TravelTable table = ParseTravelMinutes("t.csv", kTravel);
  EXPECT_EQ(table.warning, "");
  EXPECT_EQ(table.travel.places(), 3);
  EXPECT_EQ(table.travel(0, 2), 153);
  EXPECT_EQ(table.travel(2, 0), 150);
}

TEST(Trips, ABrokenTriangleIsClosedWithAWarning) {
  const TravelTable table = ParseTravelMinutes("t.csv", "0,10,40\n10,0,7.5\n15,7.5,0\n");
  EXPECT_EQ(table.travel(0, 2), 175);
  EXPECT_EQ(table.travel(2, 0), 150);
  EXPECT_EQ(table.warning,
            "t.csv:1: column 3: from place 0 to 2 takes 40 min, by way of 1 17.5; 1 time breaks "
            "the triangle inequality, the quickest way is taken for each");
}

TEST(Trips, TrianglesThatOnlyRoundingBreaksAreClosedInSilence) {
  // 0.04 + 0.04 = 0.08 minutes: 0 + 0 ticks against 1.
  const TravelTable table = ParseTravelMinutes("t.csv", "0,.04,.08\n.04,0,.04\n.08,.04,0\n");
  EXPECT_EQ(table.warning, "");
  EXPECT_EQ(table.travel(0, 2), 0);
}

TEST(Trips, AMatrixThatIsNoneNamesFileLineAndField) {
  EXPECT_EQ(TravelError(""),
            "t.csv:1: places: expected from 2 to 2000 lines, found 0; write one line for each "
            "place");
  EXPECT_EQ(TravelError("0\n"),
            "t.csv:1: places: expected from 2 to 2000 lines, found 1; write one line for each "
            "place");
  EXPECT_EQ(TravelError("0,1\n\n1\n"),
            "t.csv:3: column 2: the matrix must be square: expected 2 numbers, as there are lines, "
            "found 1; mend the line");
  EXPECT_EQ(TravelError("0,1\n1,2\n"),
            "t.csv:2: column 2: from a place to itself must be 0, found 2; write 0");
  EXPECT_EQ(TravelError("0,-1\n1,0\n"),
            "t.csv:1: column 2: must be from 0 to 50000000 minutes, found -1; count from midnight");
  EXPECT_EQ(TravelError("0,a\n1,0\n"), "t.csv:1: column 2: expected a number, found 'a'; mend it");
}

TEST(Trips, NoDetourIsQuickerAfterClosing) {
  Rng rng(1, RngPurpose::kTest, 0);
  constexpr int kPlaces = 30;
  std::vector<Ticks> times(kPlaces * kPlaces);
  for (int i = 0; i < kPlaces * kPlaces; ++i) {
    times[i] = i % (kPlaces + 1) == 0 ? 0 : static_cast<Ticks>(rng.Below(1000));
  }
  EXPECT_GT(CloseTriangles(kPlaces, &times), 0);
  for (int a = 0; a < kPlaces; ++a) {
    for (int b = 0; b < kPlaces; ++b) {
      for (int c = 0; c < kPlaces; ++c) {
        EXPECT_LE(times[a * kPlaces + c], times[a * kPlaces + b] + times[b * kPlaces + c]);
      }
    }
  }
  EXPECT_EQ(CloseTriangles(kPlaces, &times), 0);
}

}  // namespace
}  // namespace dray
