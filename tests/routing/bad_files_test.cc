#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/routing/readers.h"
#include "tests/config/error_text.h"
#include "tests/routing/file_texts.h"

namespace dray {
namespace {

using testing::StartsWith;

std::string ErrorOf(const std::string& path, const std::string& text,
                    const ReadOptions& options = {}) {
  return UsageErrorOf([&] { ParseProblem(path, text, options); });
}

std::string SolomonError(const std::string& old_part, const std::string& new_part) {
  return ErrorOf("s.txt", With(kSolomonText, old_part, new_part));
}

std::string VrplibError(const std::string& old_part, const std::string& new_part) {
  return ErrorOf("v.vrp", With(kVrplibText, old_part, new_part));
}

std::string LiLimError(const std::string& old_part, const std::string& new_part) {
  return ErrorOf("l.txt", With(kLiLimText, old_part, new_part));
}

std::string CsvError(const std::string& old_part, const std::string& new_part) {
  ReadOptions options;
  options.capacity = 10;
  return ErrorOf("c.csv", With(kPairCsvText, old_part, new_part), options);
}

TEST(BadFiles, NoFormatAtAll) {
  EXPECT_EQ(ErrorOf("x.txt", ""), "x.txt:1: format: the file is empty; use the complete file");
  EXPECT_EQ(ErrorOf("x.txt", "\n \n"), "x.txt:1: format: the file is empty; use the complete file");
  EXPECT_THAT(ErrorOf("x.txt", "\n\x01\xFF\x7F garbage\n"),
              StartsWith("x.txt:2: format: neither Solomon's text"));
  EXPECT_EQ(
      ErrorOf("x.txt", std::string("\n\x01\xFF\0\x7F garbage\n", 14)),
      "x.txt:1: format: the file is not text: it contains zero bytes; save it as plain text in "
      "UTF-8");
}

TEST(BadFiles, ACutFile) {
  const std::string text = kSolomonText;
  EXPECT_EQ(ErrorOf("s.txt", text.substr(0, text.find("60"))),
            "s.txt:12: DUE DATE: expected 7 numbers in a customer's line, found 5; the line may be "
            "cut short");
  EXPECT_EQ(ErrorOf("s.txt", text.substr(0, text.find("CUSTOMER"))),
            "s.txt:5: CUSTOMER: the section is missing; add it, or use the complete file");
  EXPECT_EQ(ErrorOf("s.txt", text.substr(0, text.find("CUST NO."))),
            "s.txt:7: CUSTOMER: expected column names and then numbers; the file may be cut short");
  EXPECT_EQ(ErrorOf("s.txt", text.substr(0, text.find("    1  "))),
            "s.txt:10: CUST NO.: expected a depot and at least one customer, found 1 row; the file "
            "may be cut short");
  EXPECT_EQ(VrplibError("3 20 60\n", ""),
            "v.vrp:16: TIME_WINDOW_SECTION: node 3 of 3 is missing; the section may be cut short");
  EXPECT_EQ(VrplibError("3 20 60\n", "3 20\n"),
            "v.vrp:19: TIME_WINDOW_SECTION: expected a node and 2 numbers, found '3 20'; the line "
            "may be cut short");
  EXPECT_EQ(LiLimError("\t1\t0\n", "\t1"),
            "l.txt:4: delivery: expected 9 numbers in a place's line, found 8; the line may be cut "
            "short");
  EXPECT_EQ(CsvError("60,3,1", "60,3"),
            "c.csv:4: delivery_of: expected 8 values as in the first line, found 7; the line may "
            "be cut short");
}

TEST(BadFiles, GarbageInsteadOfANumber) {
  EXPECT_EQ(SolomonError("60          3", "60         3\x80x"),
            "s.txt:12: SERVICE TIME: expected a number, found '3?x'; fix it");
  EXPECT_EQ(SolomonError("  2         10", "  2         nan"),
            "s.txt:5: CAPACITY: expected a number, found 'nan'; fix it");
  EXPECT_EQ(SolomonError("  2         10", "  2         10.5"),
            "s.txt:5: CAPACITY: expected a whole number of at most a thousand million, found "
            "'10.5'; round it, or use a coarser unit");
  EXPECT_EQ(VrplibError("DIMENSION : 3", "DIMENSION : three"),
            "v.vrp:4: DIMENSION: expected a number, found 'three'; fix it");
  EXPECT_EQ(VrplibError("2 3 4", "2 3 four"),
            "v.vrp:10: NODE_COORD_SECTION: expected a number, found 'four'; fix it");
  EXPECT_EQ(LiLimError("\t4\t4\t", "\t4\t-\t"),
            "l.txt:3: demand: expected a number, found '-'; fix it");
  EXPECT_EQ(CsvError("1,3,4", "1,,4"), "c.csv:3: x: expected a number, found ''; fix it");
}

TEST(BadFiles, NegativeTimes) {
  EXPECT_EQ(SolomonError("20        60", "-20        60"),
            "s.txt:12: READY TIME: must not be negative, found -20; times count from 0");
  EXPECT_EQ(SolomonError("60          3", "60         -3"),
            "s.txt:12: SERVICE TIME: must not be negative, found -3; times count from 0");
  EXPECT_EQ(VrplibError("3 20 60", "3 -20 60"),
            "v.vrp:19: TIME_WINDOW_SECTION: must not be negative, found -20; times count from 0");
  EXPECT_EQ(CsvError("20,60", "-1,60"),
            "c.csv:4: opens: must not be negative, found -1; times count from 0");
  EXPECT_EQ(ErrorOf("m.vrp", With(kMatrixText, "7 8", "7 -8")),
            "m.vrp:7: EDGE_WEIGHT_SECTION: must not be negative, found -8; times count from 0");
}

TEST(BadFiles, AWindowThatClosesBeforeItOpens) {
  EXPECT_EQ(SolomonError("20        60", "70        60"),
            "s.txt:12: DUE DATE: customer 2: the window closes at 60.0, before it opens at 70.0; "
            "swap or fix them");
  EXPECT_EQ(VrplibError("2 0 50", "2 51 50"),
            "v.vrp:18: TIME_WINDOW_SECTION: node 2: the window closes at 50.0, before it opens "
            "at 51.0; swap or fix them");
  EXPECT_EQ(LiLimError("0\t100", "200\t100"),
            "l.txt:2: latest: the depot closes at 100.0, before it opens at 200.0; swap or "
            "fix them");
}

TEST(BadFiles, CapacityAndDemand) {
  EXPECT_EQ(SolomonError("  2         10", "  2         0"),
            "s.txt:5: CAPACITY: must be from 1 to 1000000000, found 0; give every vehicle some "
            "room");
  EXPECT_EQ(SolomonError("  2         10", "  0         10"),
            "s.txt:5: NUMBER: must be at least 1, found 0; give the fleet a vehicle");
  EXPECT_EQ(VrplibError("CAPACITY : 10", "CAPACITY : 0"),
            "v.vrp:6: CAPACITY: must be from 1 to 1000000000, found 0; give every vehicle some "
            "room");
  EXPECT_EQ(LiLimError("2\t10\t1", "2\t0\t1"),
            "l.txt:1: capacity: must be from 1 to 1000000000, found 0; give every vehicle some "
            "room");
  EXPECT_EQ(VrplibError("3 5", "3 11"),
            "v.vrp:15: DEMAND_SECTION: node 3: 11 is more than a vehicle holds (10); split it "
            "or raise the capacity");
  EXPECT_EQ(VrplibError("3 5", "3 1.5"),
            "v.vrp:15: DEMAND_SECTION: expected a whole number, found 1.5; round it, or use a "
            "finer unit");
  EXPECT_EQ(SolomonError("8        5", "8       -5"),
            "s.txt:12: DEMAND: must not be negative, found -5; only a delivery that names its "
            "pickup drops off");
  EXPECT_EQ(SolomonError("0       0        0 ", "0       0        7 "),
            "s.txt:10: DEMAND: the depot (the first row) must have 0, found 7; put the depot "
            "first");
  EXPECT_EQ(ErrorOf("c.csv", kCsvText),
            "c.csv:4: capacity: not given in the file; set it with an option");
  ReadOptions options;
  options.capacity = 0;
  EXPECT_EQ(ErrorOf("c.csv", kCsvText, options),
            "c.csv: capacity as given by option: must be from 1 to 1000000000, found 0; give every "
            "vehicle some room");
}

TEST(BadFiles, DistancesThatRoundingWouldMakeEqual) {
  const std::string degrees =
      "id,x,y,demand,opens,closes,service\n"
      "0,13.40,52.52,0,0,86400,0\n"
      "1,13.43,52.56,1,0,86400,0\n";
  ReadOptions options;
  options.capacity = 10;
  EXPECT_EQ(ErrorOf("c.csv", degrees, options),
            "c.csv:2: x, y: the longest distance is 0.05, and beside times up to 86400 steps are "
            "no finer than 0.001; distances are travel times, too: give x, y and times in one "
            "unit");
  options.rounding = Rounding::kTrunc01;
  EXPECT_EQ(ErrorOf("c.csv", degrees, options),
            "c.csv:2: x, y: the longest distance is 0.05, and in steps of 0.1 all are 0; round to "
            "finer ones, or give x, y in a finer unit");
}

TEST(BadFiles, MostDistancesThatRoundingWouldMakeEqual) {
  // The depot is far off; among customers all is near.
  const std::string near =
      "id,x,y,demand,opens,closes,service\n"
      "0,9,0,0,0,100,0\n"
      "1,.01,0,1,0,100,0\n2,.02,0,1,0,100,0\n3,.03,0,1,0,100,0\n4,.04,0,1,0,100,0\n";
  ReadOptions options;
  options.capacity = 10;
  EXPECT_EQ(ParseProblem("c.csv", near, options).travel(1, 2), 100);
  options.rounding = Rounding::kTrunc01;
  EXPECT_EQ(ErrorOf("c.csv", near, options),
            "c.csv:2: x, y: 12 of 20 distances above 0 become 0.0 in steps of 0.1; round to finer "
            "ones, or give distances in a finer unit");
}

TEST(BadFiles, OptionsOfCsvFilesWithOthers) {
  ReadOptions options;
  options.speed_kmh = 50;
  EXPECT_EQ(ErrorOf("s.txt", kSolomonText, options),
            "s.txt: a speed of 50 km/h has no effect: it is for CSV files with columns lat and lon "
            "and without travel times; leave it out");
  options = {};
  options.travel = "t.csv";
  EXPECT_EQ(ErrorOf("s.txt", kSolomonText, options),
            "t.csv: travel times need a CSV file, and s.txt is not one; write it as VRPLIB's "
            "EXPLICIT matrix, or leave it out");
}

TEST(BadFiles, ACustomerThatNoVehicleCanServe) {
  EXPECT_EQ(SolomonError("20        60", "2        6"),
            "s.txt:12: DUE DATE: customer 2: no vehicle can serve it: driving straight there it "
            "arrives at 10.0, after the window closed at 6.0; widen the window");
  EXPECT_EQ(SolomonError("20        60", "95        99"),
            "s.txt:12: READY TIME: customer 2: no vehicle can serve it: driving straight back it "
            "is at the depot at 108.0, after that closed at 100.0; open earlier, or keep the depot "
            "open longer");
  EXPECT_EQ(ErrorOf("m.vrp", With(kMatrixText, "CAPACITY", "DISTANCE : 9\nCAPACITY")),
            "m.vrp:3: DISTANCE: node 2: no vehicle can serve it: driving straight back it is "
            "at the depot at 12.0, after that closed at 9.0; open earlier, or keep the depot open "
            "longer");
}

TEST(BadFiles, APairThatNoVehicleCanServe) {
  // Both ends can be reached in time, but not one after the other.
  EXPECT_EQ(LiLimError("\t0\t50\t", "\t58\t59\t"),
            "l.txt:4: latest: customer 2: no vehicle can serve it: driving straight there it "
            "arrives at 65.0, after the window closed at 60.0; widen the window");
  EXPECT_EQ(CsvError("4,0,50", "4,58,59"),
            "c.csv:4: closes: customer 2: no vehicle can serve it: driving straight there it "
            "arrives at 65.000, after the window closed at 60.000; widen the window");
}

TEST(BadFiles, TooFewPlaces) {
  EXPECT_EQ(VrplibError("DIMENSION : 3", "DIMENSION : 1"),
            "v.vrp:4: DIMENSION: must be from 2 to 10000, found 1; it counts the depot and the "
            "customers");
  EXPECT_EQ(ErrorOf("l.txt", "2\t10\t1\n0\t0\t0\t0\t0\t100\t0\t0\t0\n"),
            "l.txt:2: task: expected a depot and at least one customer, found 1 row; the file may "
            "be cut short");
  EXPECT_EQ(CsvError("1,3,4,4,0,50,2,\n2,6,8,-4,20,60,3,1\n", ""),
            "c.csv:2: id: expected a depot and at least one customer, found 1 row; the file may be "
            "cut short");
}

TEST(BadFiles, AMissingOrUnknownSection) {
  EXPECT_EQ(VrplibError("DEPOT_SECTION\n1\n-1\n", ""),
            "v.vrp:24: DEPOT_SECTION: the section is missing; add it, or use the complete file");
  EXPECT_EQ(VrplibError("DEMAND_SECTION\n1 0\n2 4\n3 5\n", ""),
            "v.vrp:23: DEMAND_SECTION: the section is missing; add it, or use the complete file");
  EXPECT_EQ(VrplibError("CAPACITY : 10\n", ""),
            "v.vrp:26: CAPACITY: is missing; add a line CAPACITY : NUMBER");
  EXPECT_EQ(VrplibError("DEMAND_SECTION", "BACKHAUL_SECTION"),
            "v.vrp:12: 'BACKHAUL_SECTION': unknown keyword or section; delete it if the problem is "
            "the same without it");
  EXPECT_EQ(
      VrplibError("EUC_2D", "GEO"),
      "v.vrp:7: EDGE_WEIGHT_TYPE: only EUC_2D, EXACT_2D and EXPLICIT are supported, found 'GEO'; "
      "write the matrix out as EXPLICIT");
  EXPECT_EQ(VrplibError("NAME : tiny", "7"),
            "v.vrp:1: keyword: expected KEYWORD : VALUE, found '7'; numbers come after the name of "
            "their section");
  EXPECT_EQ(ErrorOf("m.vrp", With(kMatrixText, "3 9999", "3")),
            "m.vrp:6: EDGE_WEIGHT_SECTION: expected 9 numbers for 3 nodes, found 8; the section "
            "may be cut short");
  EXPECT_EQ(CsvError("service", "servise"),
            "c.csv:1: 'servise': unknown column; did you mean service?");
  EXPECT_EQ(CsvError("opens,", ""),
            "c.csv:1: opens: the column is missing; the first line must name "
            "id,x,y,demand,opens,closes,service");
}

TEST(BadFiles, ANumberTwiceOrOutOfRange) {
  EXPECT_EQ(SolomonError("    2      6", "    1      6"),
            "s.txt:12: CUST NO.: 1 is given twice, first in line 11; give every customer a unique "
            "number");
  EXPECT_EQ(VrplibError("3 6 8", "2 6 8"),
            "v.vrp:11: NODE_COORD_SECTION: node 2 is given twice, first in line 10; keep one");
  EXPECT_EQ(VrplibError("3 6 8", "4 6 8"),
            "v.vrp:11: NODE_COORD_SECTION: there is no node 4; DIMENSION says 1 to 3");
  EXPECT_EQ(VrplibError("DEPOT_SECTION\n1\n", "DEPOT_SECTION\n4\n"),
            "v.vrp:25: DEPOT_SECTION: there is no node 4; DIMENSION says 1 to 3");
  EXPECT_EQ(VrplibError("DIMENSION : 3", "DIMENSION : 1000000000"),
            "v.vrp:4: DIMENSION: must be from 2 to 10000, found 1000000000; it counts the depot "
            "and the customers");
  EXPECT_EQ(SolomonError("    2      6 ", "    2      6e300 "),
            "s.txt:12: XCOORD., YCOORD.: must be below 50000000, found inf; use a coarser unit");
  EXPECT_EQ(SolomonError("        60 ", "        6e9 "),
            "s.txt:12: DUE DATE: must be below 50000000, found 6e+09; use a coarser unit");
}

TEST(BadFiles, PairsThatAreNone) {
  EXPECT_EQ(LiLimError("\t0\t2\n", "\t0\t0\n"),
            "l.txt:3: delivery: customer 1 is a pickup without a delivery; name its delivery");
  EXPECT_EQ(LiLimError("\t0\t2\n", "\t0\t9\n"),
            "l.txt:3: delivery: there is no customer 9; name one of the file's customers");
  EXPECT_EQ(LiLimError("\t1\t0\n", "\t9\t0\n"),
            "l.txt:4: pickup: there is no customer 9; name one of the file's customers");
  EXPECT_EQ(LiLimError("\t1\t0\n", "\t-1\t0\n"),
            "l.txt:4: pickup: there is no customer -1; write 0 for none");
  EXPECT_EQ(LiLimError("-4", "-3"),
            "l.txt:4: demand: customer 2: a delivery drops off what its pickup (customer 1) took: "
            "expected -4, found -3");
  EXPECT_EQ(CsvError("60,3,1", "60,3,7"),
            "c.csv:4: delivery_of: there is no customer 7; name one of the file's customers");
  EXPECT_EQ(CsvError("60,3,1", "60,3,2"),
            "c.csv:4: delivery_of: customer 2 is a delivery itself; name a pickup");
  EXPECT_EQ(CsvError("60,3,1", "60,3,"),
            "c.csv:4: demand: must not be negative, found -4; only a delivery that names its "
            "pickup drops off");
  EXPECT_EQ(CsvError("60,3,1\n", "60,3,1\n3,6,8,-4,20,60,3,1\n"),
            "c.csv:5: delivery_of: customer 1 is delivered in line 4 already; every pickup has one "
            "delivery");
}

}  // namespace
}  // namespace dray
