#include "src/routing/travel_minutes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/rng.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

constexpr char kTravel[] = "0, 10, 15.25\n10, 0, 7.5\n15, 7.5, 0\n";

std::string TravelError(const std::string& text) {
  return UsageErrorOf([&] { ParseTravelMinutes("t.csv", text); });
}

TEST(TravelMinutes, TravelIsRoundedToTicksAndMayBeAsymmetric) {
  const TravelTable table = ParseTravelMinutes("t.csv", kTravel);
  EXPECT_EQ(table.warning, "");
  EXPECT_EQ(table.travel.places(), 3);
  EXPECT_EQ(table.travel(0, 2), 153);
  EXPECT_EQ(table.travel(2, 0), 150);
}

TEST(TravelMinutes, ABrokenTriangleIsClosedWithAWarning) {
  const TravelTable table = ParseTravelMinutes("t.csv", "0,10,40\n10,0,7.5\n15,7.5,0\n");
  EXPECT_EQ(table.travel(0, 2), 175);
  EXPECT_EQ(table.travel(2, 0), 150);
  EXPECT_EQ(table.warning,
            "t.csv:1: column 3: from place 0 to 2 takes 40 min, by way of 1 17.5; 1 time breaks "
            "the triangle inequality, the quickest way is taken for each");
}

TEST(TravelMinutes, TrianglesThatOnlyRoundingBreaksAreClosedInSilence) {
  // 10.04 + 10.04 = 20.08 minutes: 100 + 100 ticks against 201.
  const TravelTable table =
      ParseTravelMinutes("t.csv", "0,10.04,20.08\n10.04,0,10.04\n20.08,10.04,0\n");
  EXPECT_EQ(table.warning, "");
  EXPECT_EQ(table.travel(0, 2), 200);
}

TEST(TravelMinutes, AMatrixThatIsNoneNamesFileLineAndField) {
  EXPECT_EQ(TravelError(""),
            "t.csv:1: places: expected from 2 to 2000 lines, found 0; write one line for each "
            "place");
  EXPECT_EQ(TravelError("0\n"),
            "t.csv:1: places: expected from 2 to 2000 lines, found 1; write one line for each "
            "place");
  EXPECT_EQ(TravelError("0,1\n\n1\n"),
            "t.csv:3: column 2: the matrix must be square: expected 2 numbers, as there are lines, "
            "found 1; fix the line");
  EXPECT_EQ(TravelError("0,1\n1,2\n"),
            "t.csv:2: column 2: from a place to itself must be 0, found 2; write 0");
  EXPECT_EQ(TravelError("0,-1\n1,0\n"),
            "t.csv:1: column 2: a travel time must be from 0 to 50000000 minutes, found -1; write "
            "minutes");
  EXPECT_EQ(TravelError("0;1;2\n1,0,2\n2,2,0\n"),
            "t.csv:2: separator: this line has commas between the values, the first line has "
            "semicolons; use the same in the whole file");
  EXPECT_EQ(TravelError("0,a\n1,0\n"), "t.csv:1: column 2: expected a number, found 'a'; fix it");
}

TEST(TravelMinutes, NoDetourIsQuickerAfterClosing) {
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

TEST(TravelMinutes, TheSameTimesWrittenOtherwiseAreTheSame) {
  const TravelMatrix travel = ParseTravelMinutes("t.csv", kTravel).travel;
  for (const char* text :
       {"0;10;15,25\n10;0;7,5\n15;7,5;0\n", "0\t10\t15,25\n10\t0\t7,5\n15\t7.5\t0",
        "\xEF\xBB\xBF\"0\",10,15.25\r\n10,0,7.5\r\n15,7.5,0\r\n,,\r\n"}) {
    EXPECT_EQ(ParseTravelMinutes("t.csv", text).travel.fingerprint(), travel.fingerprint()) << text;
  }
}

TEST(TravelMinutes, TimesThatVanishByRoundingAreRefused) {
  EXPECT_EQ(TravelError("0,.2,.3\n.2,0,.25\n.3,.25,0\n"),
            "t.csv:3: places: the longest travel time is 0.3 min, too short for steps of 0.1 min; "
            "give minutes, not hours");
  EXPECT_EQ(TravelError("0,.01,9,.02\n.01,0,9,.03\n9,9,0,9\n.02,.03,.04,0\n"),
            "t.csv:4: places: 7 of 12 travel times above 0 become 0.0 min in steps of 0.1 min; "
            "give minutes, not hours");
  // Places at one spot are no mistake.
  EXPECT_EQ(ParseTravelMinutes("t.csv", "0,0,0,9\n0,0,0,9\n0,0,0,9\n9,9,9,0\n").travel(0, 3), 90);
}

TEST(TravelMinutes, WhatIsNoTextIsSaidToBeNone) {
  EXPECT_EQ(TravelError(std::string("\xFF\xFE"
                                    "0\0,\0",
                                    6)),
            "t.csv:1: format: the file is UTF-16 text; save it as UTF-8");
  EXPECT_EQ(TravelError("PK\x03\x04 and so on"),
            "t.csv:1: format: the file is a spreadsheet or an archive; export it as CSV, or unpack "
            "it");
  EXPECT_EQ(
      TravelError(std::string("0,1\n1,\0\n", 8)),
      "t.csv:1: format: the file is not text: it contains zero bytes; save it as plain text in "
      "UTF-8");
}

}  // namespace
}  // namespace dray
