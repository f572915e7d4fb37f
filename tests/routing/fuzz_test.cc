#include <gtest/gtest.h>

#include <span>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/rng.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/plan.h"
#include "src/routing/readers.h"
#include "src/routing/trips.h"
#include "src/routing/writer.h"
#include "tests/routing/file_texts.h"

namespace dray {
namespace {

constexpr const char* kSplinters[] = {
    "-1",  "0", "1e308", "nan", "99999999999", "\n",    " ", ",",          ":",  "\t",     "",
    "EOF", "-", "1e-9",  "1e8", "0.05",        "10000", "3", "2147483648", "\r", "VEHICLE"};

// A matrix, and where the places are in a picture.
constexpr char kMapText[] =
    "DIMENSION : 3\n"
    "CAPACITY : 10\n"
    "EDGE_WEIGHT_TYPE : EXPLICIT\n"
    "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n"
    "0 7 8\n"
    "5 0 4\n"
    "2 3 0\n"
    "DISPLAY_DATA_SECTION\n"
    "1 0 0\n"
    "2 3 4\n"
    "3 6 8\n"
    "DEMAND_SECTION\n"
    "1 0\n"
    "2 4\n"
    "3 5\n"
    "DEPOT_SECTION\n"
    "1\n"
    "-1\n";

// A few random edits: bytes changed, parts cut out or doubled, words put in.
std::string Mutated(std::string text, Rng& rng) {
  const auto below = [&](size_t n) {
    return static_cast<size_t>(rng.Below(static_cast<uint32_t>(n)));
  };
  for (uint32_t edits = 1 + rng.Below(4); edits > 0 && !text.empty(); --edits) {
    const size_t at = below(text.size());
    const size_t length = 1 + below(8);
    switch (rng.Below(6)) {
      case 0:
        text[at] = static_cast<char>(rng.Below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), 3 * length));
        break;
      case 3:
        text.replace(at, 1, kSplinters[below(std::size(kSplinters))]);
        break;
      case 4:
        text[at] = static_cast<char>('0' + rng.Below(10));
        break;
      default:
        if (rng.Below(8) == 0) text.resize(at);
    }
  }
  return text;
}

// Whatever `read` makes of the mutations, it does not crash; some are accepted and some refused,
// the latter in one line that begins with the file's name.
template <typename Read>
void Fuzz(const std::string& text, uint64_t stream, const Read& read) {
  Rng rng(7, RngPurpose::kTest, stream);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string mutated = Mutated(text, rng);
    try {
      read(mutated);
      ++accepted;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind("f.x", 0), 0u) << message;
      for (const char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << message;
      ++refused;
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

// Whole, and every number in it is one.
void ExpectDrawn(const std::string& svg) {
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* word : {"\"nan", "\"inf", "\"-nan", "\"-inf", "-9223372036854775808"})
    EXPECT_EQ(svg.find(word), std::string::npos) << word;
}

TEST(Fuzz, ProblemsOfEveryFormat) {
  uint64_t stream = 0;
  int accepted = 0;
  for (const Rounding rounding : {Rounding::kTrunc01, Rounding::kExact, Rounding::kAuto}) {
    for (const char* text : {kSolomonText, kVrplibText, kMatrixText, kMapText, kLiLimText, kCsvText,
                             kPairCsvText, kGlobeCsvText}) {
      ReadOptions options;
      options.rounding = rounding;
      if (text == kCsvText || text == kPairCsvText || text == kGlobeCsvText) options.capacity = 10;
      Fuzz(text, ++stream, [&](const std::string& mutated) {
        const Problem problem = ParseProblem("f.x", mutated, options);
        // What is accepted is valid, and can be driven.
        Validate(problem, "accepted");
        Plan plan;
        for (const Request& request : problem.requests) {
          plan.routes.push_back({request.pickup});
          if (request.paired()) plan.routes.back().push_back(request.delivery);
        }
        const Simulation simulation = Simulate(problem, plan);
        if (problem.fleet.free_vehicles >= simulation.cost.vehicles) {
          EXPECT_TRUE(simulation.violations.empty()) << simulation.violations[0];
        }
        EXPECT_EQ(ParsePlan(problem, "f.x", PlanText(problem, plan)).routes, plan.routes);
        if (++accepted % 16 != 0) return;  // pictures take longer than all of the above
        ExpectDrawn(RoutesSvg(problem, plan, {}));
        ExpectDrawn(GanttSvg(problem, plan, {.clock = true}));
      });
    }
  }
}

TEST(Fuzz, Plans) {
  const Problem problem = ParseProblem("a.txt", kSolomonText);
  Fuzz("Route #1: 1\nRoute #2: 2\nCost 30.0\n", 100, [&](const std::string& mutated) {
    PlanJson(problem, Simulate(problem, ParsePlan(problem, "f.x", mutated)));
  });
}

TEST(Fuzz, TripsAndTravelTimes) {
  const std::string travel = "0, 10, 15.25\n10, 0, 7.5\n15, 7.5, 0\n";
  Fuzz(travel, 101, [](const std::string& mutated) { ParseTravelMinutes("f.x", mutated); });
  const TravelMatrix matrix = ParseTravelMinutes("t", travel).travel;
  const std::string trips =
      "rider,origin,destination,pickup_early_min,pickup_late_min,dropoff_early_min,"
      "dropoff_late_min,flexibility\n"
      "ann,0,1,360,390,370,400,both\n"
      "bob,1,2,400.5,430,408,440,\n";
  Fuzz(trips, 102, [&](const std::string& mutated) { ParseTrips("f.x", mutated, matrix); });
  const std::string semicolons =
      "rider;origin;destination;pickup_early;pickup_late;dropoff_early;dropoff_late;flexibility\r\n"
      "\"ann\";0;1;06:00;06:30;06:10;400;both\r\n"
      "bob;1;2;400,5;07:10:30;408;440;\r\n";
  Fuzz(semicolons, 103, [&](const std::string& mutated) { ParseTrips("f.x", mutated, matrix); });
}

TEST(Fuzz, Places) {
  const std::string degrees =
      "place,lat,lon\ndepot,52.52,13.405\n\"north, far\",52.565,13.405\neast,52.52,13.48\n";
  Fuzz(degrees, 104,
       [](const std::string& mutated) { TravelAtSpeed(ParsePlaces("f.x", mutated), 30); });
  Fuzz("place\tx\ty\na\t0\t0\nb\t1,5\t0\nc\t-2\t7\n", 105,
       [](const std::string& mutated) { TravelAtSpeed(ParsePlaces("f.x", mutated), 30); });
}

}  // namespace
}  // namespace dray
