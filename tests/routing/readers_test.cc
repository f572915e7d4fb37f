#include "src/routing/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/routing/file_texts.h"

namespace dray {
namespace {

using testing::ElementsAre;

void ExpectTiny(const Problem& problem) {
  EXPECT_EQ(problem.ticks_per_unit, 10);
  EXPECT_EQ(problem.depot, 0);
  EXPECT_EQ(problem.depot_opens, 0);
  EXPECT_EQ(problem.depot_closes, 1000);
  EXPECT_EQ(problem.fleet.capacity, 10);
  EXPECT_EQ(problem.fleet.free_vehicles, 2);
  EXPECT_TRUE(problem.fleet.hard);
  EXPECT_EQ(problem.travel(0, 1), 50);
  EXPECT_EQ(problem.travel(2, 0), 100);
  ASSERT_EQ(problem.stops.size(), 2u);
  EXPECT_EQ(problem.stops[0].load, 4);
  EXPECT_EQ(problem.stops[1].place, 2);
  EXPECT_EQ(problem.stops[1].opens, 200);
  EXPECT_EQ(problem.stops[1].closes, 600);
  EXPECT_EQ(problem.stops[1].service, 30);
  EXPECT_THAT(problem.numbers, ElementsAre(1, 2));
  ASSERT_EQ(problem.points.size(), 3u);
  EXPECT_EQ(problem.points[2].y, 8);
}

TEST(Readers, EveryFormatIsToldByItsContent) {
  ReadOptions options;
  EXPECT_EQ(ParseProblem("a.txt", kSolomonText).name, "TINY");
  ExpectTiny(ParseProblem("a.txt", kSolomonText));
  EXPECT_EQ(ParseProblem("a.txt", kVrplibText).name, "tiny");
  ExpectTiny(ParseProblem("a.txt", kVrplibText));
  ExpectTiny(ParseProblem("a.vrptw", With(kVrplibText, "EUC_2D", "EXACT_2D")));
  options.capacity = 10;
  options.rounding = Rounding::kTrunc01;
  EXPECT_EQ(ParseProblem("dir/a.txt", kCsvText, options).name, "a");
  ExpectTiny(ParseProblem("a.txt", kCsvText, options));
}

TEST(Readers, CarriageReturnsTabsAndAByteOrderMarkDoNotMatter) {
  for (const std::string text : {kSolomonText, kVrplibText}) {
    std::string dos = "\xEF\xBB\xBF";
    for (const char c : text) dos += c == '\n' ? "\r\n" : c == ' ' ? "\t" : std::string(1, c);
    // Names of the columns may be anything, those of the sections not.
    ExpectTiny(ParseProblem("a.txt", dos));
  }
}

TEST(Readers, TheDepotOfAVrplibFileMayBeAnyNode) {
  std::string text = With(kVrplibText, "1 0 0\n2 3 4\n", "1 3 4\n2 0 0\n");
  text = With(text, "1 0\n2 4\n", "1 4\n2 0\n");
  text = With(text, "1 0 100\n2 0 50\n", "1 0 50\n2 0 100\n");
  text = With(text, "1 0\n2 2\n", "1 2\n2 0\n");
  text = With(text, "DEPOT_SECTION\n1\n", "DEPOT_SECTION\n2\n");
  const Problem problem = ParseProblem("a.vrp", text);
  EXPECT_THAT(problem.numbers, ElementsAre(0, 2));
  EXPECT_EQ(problem.travel(0, 1), 50);
  EXPECT_EQ(problem.depot_closes, 1000);
  EXPECT_EQ(problem.stops[0].load, 4);
}

TEST(Readers, AMatrixIsReadAsWrittenWithoutPointsAndWithRoomForTheLongestRoute) {
  const Problem problem = ParseProblem("a.vrp", kMatrixText);
  EXPECT_TRUE(problem.points.empty());
  EXPECT_EQ(problem.travel(0, 1), 70);
  EXPECT_EQ(problem.travel(1, 0), 50);
  EXPECT_EQ(problem.travel(1, 2), 40);
  EXPECT_EQ(problem.travel(2, 1), 30);
  EXPECT_EQ(problem.travel(0, 0), 0);
  EXPECT_EQ(problem.depot_closes, 80 + 50 + 30);
  EXPECT_EQ(problem.stops[1].closes, problem.depot_closes);
  EXPECT_EQ(problem.fleet.free_vehicles, 2);
}

TEST(Readers, ABrokenTriangleOfABenchmarkFileStays) {
  // By way of the second node it would take 7 + 4.
  const Problem matrix = ParseProblem("a.vrp", With(kMatrixText, "7 8", "7 80"));
  EXPECT_EQ(matrix.travel(0, 2), 800);
  // Cut off after one decimal, 3.1 + 3.1 is less than 6.3.
  std::string text = With(kSolomonText, "1      3       4", "1      1       3");
  text = With(text, "2      6       8", "2      2       6");
  const Problem solomon = ParseProblem("a.txt", text);
  EXPECT_EQ(solomon.travel(0, 1), 31);
  EXPECT_EQ(solomon.travel(1, 2), 31);
  EXPECT_EQ(solomon.travel(0, 2), 63);
}

TEST(Readers, ALowerTriangleIsMirrored) {
  const std::string text = With(With(kMatrixText, "FULL_MATRIX", "LOWER_ROW"),
                                "9999 7 8\n5 9999 4 2\n3 9999\n", "7\n8 4\n");
  const Problem problem = ParseProblem("a.vrp", text);
  EXPECT_EQ(problem.travel(0, 1), 70);
  EXPECT_EQ(problem.travel(1, 0), 70);
  EXPECT_EQ(problem.travel(2, 0), 80);
  EXPECT_EQ(problem.travel(1, 2), 40);
}

TEST(Readers, ALongestRouteIsTheHorizonAndServiceTimeHoldsForEveryCustomer) {
  const std::string text =
      With(kMatrixText, "CAPACITY", "DISTANCE : 19\nSERVICE_TIME : 2\nCAPACITY");
  const Problem problem = ParseProblem("a.vrp", text);
  EXPECT_EQ(problem.depot_closes, 190);
  EXPECT_EQ(problem.stops[0].service, 20);
  EXPECT_EQ(problem.stops[1].service, 20);
}

TEST(Readers, SiblingsOfLiAndLimArePairs) {
  const Problem problem = ParseProblem("dir/lc.txt", kLiLimText);
  EXPECT_EQ(problem.name, "lc");
  ASSERT_EQ(problem.requests.size(), 1u);
  EXPECT_EQ(problem.requests[0].pickup, 0);
  EXPECT_EQ(problem.requests[0].delivery, 1);
  EXPECT_EQ(problem.stops[1].load, -4);
}

TEST(Readers, ACsvFileHasPairsWhereItNamesThem) {
  ReadOptions options;
  options.capacity = 10;
  const Problem problem = ParseProblem("a.csv", kPairCsvText, options);
  ASSERT_EQ(problem.requests.size(), 1u);
  EXPECT_TRUE(problem.requests[0].paired());
  // Columns come in any order.
  const Problem turned = ParseProblem("a.csv",
                                      "y,x,id,demand,opens,closes,service\n"
                                      "0,0,0,0,0,100,0\n"
                                      "4,3,7,4,0,50,2\n",
                                      options);
  EXPECT_EQ(turned.points[1].x, 3);
  EXPECT_THAT(turned.numbers, ElementsAre(7));
}

TEST(Readers, RoundingIsAsAsked) {
  const std::string text =
      With(With(kSolomonText, "3       4 ", "1       1 "), "  2\n", "  2.25\n");
  const auto read = [&](Rounding rounding) {
    ReadOptions options;
    options.rounding = rounding;
    return ParseProblem("a.txt", text, options);
  };
  // The square root of 2, and 2.25.
  const Problem trunc = read(Rounding::kTrunc01);
  EXPECT_EQ(trunc.travel(0, 1), 14);
  EXPECT_EQ(trunc.stops[0].service, 22);
  const Problem exact = read(Rounding::kExact);
  EXPECT_EQ(exact.travel(0, 1), 1414);
  EXPECT_EQ(exact.stops[0].service, 2250);
  EXPECT_EQ(exact.stops[0].closes, 50000);
  EXPECT_EQ(exact.ticks_per_unit, 1000);
  const Problem nearest = read(Rounding::kNearest);
  EXPECT_EQ(nearest.travel(0, 1), 1);
  EXPECT_EQ(nearest.ticks_per_unit, 1);
}

TEST(Readers, ACsvFilesDistancesAreToldApartWhateverItsUnit) {
  ReadOptions options;
  options.capacity = 10;
  EXPECT_EQ(ParseProblem("a.csv", kCsvText, options).ticks_per_unit, 1000);
  // Degrees about Berlin, minutes of a day.
  const Problem degrees = ParseProblem("a.csv",
                                       "id,x,y,demand,opens,closes,service\n"
                                       "0,13.4050,52.5200,0,0,1440,0\n"
                                       "1,13.3777,52.5163,1,480,720,5\n"
                                       "2,13.4532,52.5051,1,480,720,5\n",
                                       options);
  EXPECT_EQ(degrees.ticks_per_unit, 100'000);
  EXPECT_EQ(degrees.travel(0, 1), 2755);
  EXPECT_EQ(degrees.travel(0, 2), 5045);
  EXPECT_EQ(degrees.stops[0].opens, 48'000'000);
  // Metres, and a window that never closes.
  const Problem metres = ParseProblem("a.csv",
                                      "id,x,y,demand,opens,closes,service\n"
                                      "0,0,0,0,0,9999999,0\n"
                                      "1,30000,40000,1,0,9999999,5\n",
                                      options);
  EXPECT_EQ(metres.ticks_per_unit, 10);
  EXPECT_EQ(metres.travel(0, 1), 500'000);
}

TEST(Readers, ACsvFileOnTheGlobeIsDrivenAlongGreatCircles) {
  ReadOptions options;
  options.capacity = 10;
  const Problem problem = ParseProblem("globe.csv", kGlobeCsvText, options);
  EXPECT_EQ(problem.unit, "min");
  EXPECT_EQ(problem.ticks_per_unit, 1000);
  EXPECT_NEAR(problem.travel(0, 1), 10'008, 2);  // 5.0038 km at 30 km/h
  EXPECT_EQ(problem.travel(0, 1), problem.travel(1, 0));
  EXPECT_EQ(problem.depot_opens, 480'000);
  EXPECT_EQ(problem.stops[1].opens, 500'000);
  EXPECT_EQ(problem.stops[1].closes, 600'000);
  ASSERT_EQ(problem.points.size(), 3u);
  EXPECT_NEAR(problem.points[1].y, 5.0038, 1e-3);
  options.speed_kmh = 60;
  const Problem faster = ParseProblem("globe.csv", kGlobeCsvText, options);
  EXPECT_EQ(faster.ticks_per_unit, 10'000);
  EXPECT_NEAR(faster.travel(0, 1), 50'038, 2);
}

TEST(Readers, ACsvFileMayBringItsTravelTimes) {
  const std::string travel = testing::TempDir() + "/travel.csv";
  WriteFileAtomically(travel, "0;7,5;8\n9;0;4\n8;3;0\n");
  ReadOptions options;
  options.capacity = 10;
  options.travel = travel;
  const std::string plain =
      "id,demand,opens,closes,service\n0,0,08:00,18:00,0\n1,4,08:00,09:00,2\n2,5,500,10:00,3\n";
  for (const std::string& text : {plain, std::string(kGlobeCsvText)}) {
    const Problem problem = ParseProblem("c.csv", text, options);
    EXPECT_EQ(problem.travel(0, 1), 75'000);
    EXPECT_EQ(problem.travel(1, 0), 90'000);
    EXPECT_EQ(problem.stops[0].opens, 4'800'000);
    EXPECT_EQ(problem.points.size(), text == plain ? 0u : 3u);
  }
  try {
    ParseProblem("c.csv", plain + "3,5,500,10:00,3\n", options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), travel +
                                ":3: places: the matrix does not match the 4 rows of c.csv; "
                                "write one line per row, the depot first");
  }
}

TEST(Readers, TheSameCsvWrittenOtherwiseIsTheSame) {
  ReadOptions options;
  options.capacity = 10;
  const Problem problem = ParseProblem("c.csv", kPairCsvText, options);
  for (const char* text :
       {"id;x;y;demand;opens;closes;service;delivery_of\r\n0;0;0;0;0;100;0;\r\n"
        "1;3,0;4;4;0;50;2;\r\n2;6;8,00;-4;20;60;3;1\r\n;;;;;;;\r\n",
        "ID\tX\tY\tdemand\topens\tcloses\tservice\tdelivery_of\n0\t0\t0\t0\t00:00\t01:40\t0\t\n"
        "1\t3\t4\t4\t0\t50\t00:02\t\n2\t6\t8\t-4\t0:20\t1:00\t3\t1\n"}) {
    for (const char* name : {"c.csv", "c.tsv", "c.txt"}) {
      const Problem other = ParseProblem(name, text, options);
      EXPECT_EQ(other.travel.fingerprint(), problem.travel.fingerprint());
      ASSERT_EQ(other.stops.size(), problem.stops.size());
      for (size_t i = 0; i < other.stops.size(); ++i) {
        EXPECT_EQ(other.stops[i].opens, problem.stops[i].opens);
        EXPECT_EQ(other.stops[i].closes, problem.stops[i].closes);
        EXPECT_EQ(other.stops[i].service, problem.stops[i].service);
        EXPECT_EQ(other.stops[i].load, problem.stops[i].load);
      }
    }
  }
}

TEST(Readers, ADecimalThatIsNoBinaryFractionIsNotCutBelowItself) {
  for (const char* value : {"0.3", "0.7", "1.1", "2.3", "4.6", "8.2", "33.3", "49.9"}) {
    const Problem problem =
        ParseProblem("a.txt", With(kSolomonText, "20        60", Cat(value, "        60")));
    EXPECT_EQ(problem.Format(problem.stops[1].opens), value);
  }
}

TEST(Readers, OptionsTakeThePlaceOfTheFilesFleet) {
  ReadOptions options;
  options.capacity = 7;
  options.vehicles = 5;
  const Problem problem = ParseProblem("a.txt", kSolomonText, options);
  EXPECT_EQ(problem.fleet.capacity, 7);
  EXPECT_EQ(problem.fleet.free_vehicles, 5);
}

TEST(Readers, AFileIsReadFromDisk) {
  const std::string path = testing::TempDir() + "/tiny.vrp";
  WriteFileAtomically(path, kVrplibText);
  ExpectTiny(ReadProblem(path));
  EXPECT_THROW(ReadProblem("/nowhere/a.txt"), Error);
}

}  // namespace
}  // namespace dray
