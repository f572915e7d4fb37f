#include "src/routing/trips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
            "trips.csv:2: pickup_early_min: must be from 0 to 1440 minutes after midnight, found "
            "-360; write minutes (540) or HH:MM (09:00)");
  EXPECT_EQ(TripError("370,400", "370,2000"),
            "trips.csv:2: dropoff_late_min: must be from 0 to 1440 minutes after midnight, found "
            "2000; write minutes (540) or HH:MM (09:00)");
  EXPECT_EQ(TripError("370,400", "401,400"),
            "trips.csv:2: dropoff_late_min: the window closes at 400.0 min, before it opens at "
            "401.0 min; swap or fix them");
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

// What a file of trips comes to, to be compared.
std::vector<std::vector<int>> NumbersOf(const TripTable& table) {
  std::vector<std::vector<int>> rows = {table.flexibility};
  for (const Trip& trip : table.trips) {
    rows.push_back({trip.rider, trip.origin, trip.destination, trip.pickup_early, trip.pickup_late,
                    trip.dropoff_early, trip.dropoff_late});
  }
  return rows;
}

TEST(Trips, TheSameDataWrittenOtherwiseIsTheSame) {
  const TripTable table = ParseTrips("trips.csv", kTrips, Travel());
  const std::string header =
      "rider;origin;destination;pickup_early;pickup_late;dropoff_early;dropoff_late;flexibility\n";
  for (const std::string& text : {
           header + "ann;0;1;360;390;370;400;both\nbob;1;2;400,5;430;408;440;\n"
                    "ann;1;0;600;630;610;640;3\n",
           header + "\"ann\";0;1;06:00;06:30;06:10;06:40;both\r\n"
                    "bob;1;2;06:40:30;07:10;06:48;07:20;\r\nann;1;0;10:00;10:30;10:10;10:40;3\r\n"
                    ";;;;;;;\r\n",
           std::string("\xEF\xBB\xBF"
                       "Rider\tOrigin\tDestination\tpickup_early_min\tpickup_late_min\t"
                       "dropoff_early_min\tdropoff_late_min\tflexibility\n"
                       "ann\t0\t1\t360\t06:30\t370\t400\tboth\n"
                       "bob\t1\t2\t400,5\t430\t408\t7:20\t\nann\t1\t0\t600\t630\t610\t640\t3\n"),
       }) {
    const TripTable other = ParseTrips("trips.csv", text, Travel());
    EXPECT_EQ(other.riders, table.riders) << text;
    EXPECT_EQ(NumbersOf(other), NumbersOf(table)) << text;
  }
}

TEST(Trips, TimesThatAreNoneNameFileLineAndField) {
  EXPECT_EQ(TripError("360,390", "25:00,390"),
            "trips.csv:2: pickup_early_min: '25:00' is not a valid time from 00:00 to 24:00; write "
            "minutes (540) or HH:MM (09:00)");
  EXPECT_EQ(TripError("360,390", "360,nine"),
            "trips.csv:2: pickup_late_min: expected a number, found 'nine'; fix it");
  EXPECT_EQ(TripError("360,390,370,400", "06:30,06:00,06:40,07:00"),
            "trips.csv:2: pickup_late_min: the window closes at 06:00, before it opens at 06:30; "
            "swap or fix them");
  EXPECT_EQ(TripError("360,390,370", "360,39,0,370"),
            "trips.csv:2: flexibility: expected 8 values as in the first line, found 9; decimal "
            "commas need semicolons between the values");
}

TEST(Trips, ALineThatRepeatsAnotherIsRefused) {
  EXPECT_EQ(TripError("bob,1,2,400.5,430,408,440,", "ann,0,1,360,390,370,400,both"),
            "trips.csv:3: rider: the line repeats line 2 exactly; remove one of the two");
}

TEST(Trips, SeparatorsThatDifferAreNamed) {
  EXPECT_EQ(TripError("ann,0,1,360,390,370,400,both", "ann;0;1;360;390;370;400;both"),
            "trips.csv:2: separator: this line has semicolons between the values, the first line "
            "has commas; use the same in the whole file");
  EXPECT_EQ(UsageErrorOf([] {
              ParseTrips("trips.csv",
                         "rider;origin;destination;pickup_early;pickup_late;dropoff_early;"
                         "dropoff_late\nann,0,1,360,390,370,400\n",
                         Travel());
            }),
            "trips.csv:2: separator: this line has commas between the values, the first line has "
            "semicolons; use the same in the whole file");
}

TEST(Trips, PlacesGoByTheirNames) {
  const PlaceTable places = ParsePlaces("places.csv", "place,x,y\nhome,0,0\nshop,5,0\n1,0,7.5\n");
  const TravelMatrix travel = TravelAtSpeed(places, 30);
  const std::string text =
      "rider,origin,destination,pickup_early,pickup_late,dropoff_early,dropoff_late\n"
      "ann,shop,1,09:00,09:30,09:10,10:00\n";
  const TripTable table = ParseTrips("trips.csv", text, travel, &places);
  EXPECT_EQ(table.trips[0].origin, 1);
  EXPECT_EQ(table.trips[0].destination, 2);
  EXPECT_THAT(table.lines, ElementsAre(2));
  const auto error = [&](const std::string& old_part, const std::string& new_part) {
    return UsageErrorOf(
        [&] { ParseTrips("trips.csv", With(text, old_part, new_part), travel, &places); });
  };
  EXPECT_EQ(error("shop", "shp"),
            "trips.csv:2: origin: there is no place 'shp' in places.csv; did you mean 'shop'?");
  EXPECT_EQ(error("shop", "1"),
            "trips.csv:2: destination: is the origin, place '1'; remove the trip");
}

}  // namespace
}  // namespace dray
