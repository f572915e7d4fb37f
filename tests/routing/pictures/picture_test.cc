#include "src/routing/pictures/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/routing/pictures/picture_words.h"
#include "src/routing/pictures/time_axis.h"
#include "tests/routing/street.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Two riders of a minute's ticks, from 07:00 on.
Problem Morning() {
  Problem problem = PairStreet({100, 200, 300, 400}, 2, 2);
  problem.name = "morning";
  problem.ticks_per_unit = 10;
  problem.depot_closes = 14400;
  for (Stop& stop : problem.stops) {
    stop.opens = 4200;
    stop.closes = 4800;
  }
  return problem;
}

TEST(Picture, PairsAreLabelledByRequestAndSingleStopsByNumber) {
  const Problem pairs = Morning();
  const PictureWords words(pairs, {});
  EXPECT_EQ(words.Label(2), "P2");
  EXPECT_EQ(words.Label(3), "D2");
  Problem singles = Street({10, 20}, 1, 1);
  EXPECT_EQ(PictureWords(singles, {}).Label(1), "2");
  singles.numbers = {71, 18};
  EXPECT_EQ(PictureWords(singles, {}).Label(1), "18");
}

TEST(Picture, TimesReadAsAClockWhenTheyAreMinutesOfADay) {
  const Problem problem = Morning();
  const PictureWords clock(problem, {.clock = true});
  EXPECT_EQ(clock.Time(4509), "07:30");
  EXPECT_EQ(clock.Time(15000), "25:00");
  EXPECT_EQ(clock.Time(-300), "-00:30");
  EXPECT_EQ(clock.Span(4509), "450.9 min");
  const PictureWords plain(problem, {});
  EXPECT_EQ(plain.Time(4509), "450.9");
  EXPECT_EQ(plain.Span(4509), "450.9");
}

TEST(Picture, TheAxisNamesRoundTimes) {
  const TimeAxis axis(4100, 6000, 0, 100);
  EXPECT_THAT(axis.Marks(10, /*clock=*/true, /*room=*/30), ElementsAre(4200, 4800, 5400, 6000));
  EXPECT_THAT(axis.Marks(10, /*clock=*/false, /*room=*/30), ElementsAre(5000, 6000));
  EXPECT_EQ(axis.X(5050), 50);
  EXPECT_EQ(axis.X(0), 0);
  EXPECT_EQ(axis.X(9999), 100);
  EXPECT_THAT(TimeAxis(7, 7, 0, 100).Marks(1, /*clock=*/false, 10), ElementsAre(7, 8));
}

TEST(Picture, ColoursComeBackWithDashes) {
  EXPECT_EQ(LookOfVehicle(0).colour, LookOfVehicle(7).colour);
  EXPECT_NE(LookOfVehicle(0).dashes, LookOfVehicle(7).dashes);
  EXPECT_NE(LookOfVehicle(0).colour, LookOfVehicle(6).colour);
}

TEST(Picture, WordsStayWholeWhenTextIsWrapped) {
  EXPECT_THAT(WrapText("to be  or not to be", 10, 60), ElementsAre("to be or", "not to be"));
  EXPECT_THAT(WrapText("", 10, 60), ElementsAre());
  EXPECT_THAT(WrapText("incomprehensibly", 10, 60), ElementsAre("incomprehensibly"));
}

TEST(Picture, AMapThatIsNotKnownIsSaid) {
  Problem problem = Morning();
  EXPECT_THAT(RoutesSvg(problem, {{{0, 1}}}, {}), HasSubstr("laid out by the travel times"));
  for (int place = 0; place < 5; ++place) problem.points.push_back({1.0 * place, 0});
  EXPECT_THAT(RoutesSvg(problem, {{{0, 1}}}, {}), Not(HasSubstr("laid out by the travel times")));
}

TEST(Picture, AMapHasOneScaleWhateverIsOnIt) {
  Problem whole = Street({100, 200, 300}, 3, 3);
  whole.points = {{0, 0}, {100, 0}, {200, 50}, {300, 100}};
  Problem part = whole;
  part.stops.pop_back();
  part.requests.pop_back();
  const std::string leg = "M 327.3 564.7 Q 468.7 510.8 596.7 430.0";  // from stop 0 to stop 1
  EXPECT_THAT(RoutesSvg(whole, {{{0, 1, 2}}}, {}), HasSubstr(leg));
  EXPECT_THAT(RoutesSvg(part, {{{0, 1}}}, {}), HasSubstr(leg));
}

TEST(Picture, AScheduleShowsTheTimesThatItIsToldTo) {
  const Plan plan = {{{0, 1}}};
  const TimeSpan own = TimesOf(Morning(), plan);
  EXPECT_EQ(GanttSvg(Morning(), plan, {}), GanttSvg(Morning(), plan, {.times = own}));
  const TimeSpan longer = {own.begin - 600, own.end};
  EXPECT_NE(GanttSvg(Morning(), plan, {}), GanttSvg(Morning(), plan, {.times = longer}));
  EXPECT_THAT(GanttSvg(Morning(), plan, {.clock = true, .times = longer}), HasSubstr(">06:00<"));
}

TEST(Picture, WhatIsNotServedIsCrossedOut) {
  const Plan half = {{{0, 1}}};
  for (const std::string& svg : {RoutesSvg(Morning(), half, {}), GanttSvg(Morning(), half, {})}) {
    EXPECT_EQ(Count(svg, "class=\"unserved\""), 4) << "two strokes for each of two stops";
    EXPECT_THAT(svg, HasSubstr("1 not served"));
  }
  const Plan whole = {{{0, 1, 2, 3}}};
  EXPECT_THAT(RoutesSvg(Morning(), whole, {}), Not(HasSubstr("not served")));
  EXPECT_THAT(GanttSvg(Morning(), whole, {}), Not(HasSubstr("not served")));
}

TEST(Picture, OnlyShiftedWindowsShowWhatWasAsked) {
  Problem problem = Morning();
  std::vector<AskedWindow> asked(4, {4200, 4800});
  problem.stops[2].opens = 4000;
  problem.stops[2].closes = 4600;
  const std::string svg = GanttSvg(problem, {{{0, 1, 2, 3}}}, {.clock = true}, asked);
  EXPECT_EQ(Count(svg, "class=\"asked\""), 1);
  EXPECT_THAT(svg, HasSubstr("P2 asked for 07:00 to 08:00"));
  EXPECT_EQ(Count(GanttSvg(problem, {{{0, 1, 2, 3}}}, {}), "class=\"asked\""), 0);
}

TEST(Picture, AVehicleLeavesAsLateAsItsFirstStopAllows) {
  // The first stop, ten minutes away, opens at 07:00.
  EXPECT_THAT(GanttSvg(Morning(), {{{0, 1}}}, {.clock = true}),
              HasSubstr("driving 06:50 to 07:00"));
  EXPECT_THAT(GanttSvg(Morning(), {{{0, 1}}}, {.clock = true}), Not(HasSubstr("waiting 0")));
}

TEST(Picture, ABrokenPlanIsDrawnAndSaysSo) {
  Problem problem = Morning();
  problem.stops[0].closes = problem.stops[0].opens = 50;
  const Plan plan = {{{1, 0, 99}, {}}};
  EXPECT_THAT(RoutesSvg(problem, plan, {}), HasSubstr("Breaks a rule: route 1: "));
  EXPECT_THAT(GanttSvg(problem, plan, {}), HasSubstr("Breaks a rule: route 1: "));
}

TEST(Picture, BothAreWritten) {
  const std::string folder = testing::TempDir() + "/new/folder";
  const PicturePaths paths = WritePictures(folder, "m", Morning(), {{{0, 1}}}, {});
  EXPECT_EQ(paths.routes, folder + "/m_routes.svg");
  EXPECT_EQ(paths.gantt, folder + "/m_gantt.svg");
  EXPECT_EQ(ReadFile(paths.routes), RoutesSvg(Morning(), {{{0, 1}}}, {}));
  EXPECT_EQ(ReadFile(paths.gantt), GanttSvg(Morning(), {{{0, 1}}}, {}));
}

TEST(Picture, AFolderThatCannotBeWrittenIsAnError) {
  const std::string file = testing::TempDir() + "/file";
  WriteFileAtomically(file, "");
  try {
    WritePictures(file + "/folder", "m", Morning(), {}, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot write " + file +
                                "/folder: Not a directory (choose another folder with --render)");
  }
}

}  // namespace
}  // namespace dray
