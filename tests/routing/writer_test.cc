#include "src/routing/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/routing/readers.h"
#include "tests/config/error_text.h"
#include "tests/routing/file_texts.h"
#include "tests/routing/street.h"

namespace dray {
namespace {

using testing::ElementsAre;

TEST(Writer, APlanReadsAsInVrplib) {
  const Problem problem = ParseProblem("a.txt", kSolomonText);
  EXPECT_EQ(PlanText(problem, {{{1}, {0}}}),
            "Route #1: 2\n"
            "Route #2: 1\n"
            "Cost 30.0\n");
  EXPECT_EQ(PlanText(Street({10, 20}, 2, 1), {{{1, 0}}}), "Route #1: 2 1\nCost 40\n");
}

TEST(Writer, CustomersAreNumberedAsInTheFile) {
  ReadOptions options;
  options.capacity = 10;
  const Problem csv =
      ParseProblem("a.csv", With(With(kCsvText, "\n1,", "\n71,"), "\n2,", "\n18,"), options);
  EXPECT_EQ(PlanText(csv, {{{0, 1}}}), "Route #1: 71 18\nCost 20.000\n");
  // CVRPLIB's usage: one less than the node.
  const Problem vrplib = ParseProblem("a.vrp", kVrplibText);
  EXPECT_EQ(PlanText(vrplib, {{{0, 1}}}), "Route #1: 1 2\nCost 20.0\n");
}

TEST(Writer, APlanIsReadBack) {
  const Problem problem = Street({10, 20, 30}, 2, 2);
  const Plan plan = {{{2, 1}, {0}}};
  const std::string path = testing::TempDir() + "/plan.sol";
  WriteFileAtomically(path, PlanText(problem, plan));
  EXPECT_EQ(ReadPlan(problem, path).routes, plan.routes);
  EXPECT_THAT(ParsePlan(problem, "p.sol", "route #1 : 3\r\nRoute #2:\ncost 1e3\n").routes,
              ElementsAre(ElementsAre(2)));
}

TEST(Writer, APlanThatIsNoneNamesFileLineAndField) {
  const Problem problem = Street({10, 20}, 2, 2);
  const auto error = [&](const std::string& text) {
    return UsageErrorOf([&] { ParsePlan(problem, "p.sol", text); });
  };
  EXPECT_EQ(error("Route #1: 1\nRoute #2: 3\n"),
            "p.sol:2: customer: there is no customer 3 in the problem; check that the plan belongs "
            "to it");
  EXPECT_EQ(error("Route #1: 1\nRoute #2: 2 1\n"),
            "p.sol:2: customer: 1 is visited twice, first in line 1; remove one visit");
  EXPECT_EQ(error("Route #1: 1 x\n"), "p.sol:1: customer: expected a number, found 'x'; fix it");
  EXPECT_EQ(error("Cost much\n"), "p.sol:1: Cost: expected a number, found 'much'; fix it");
  EXPECT_EQ(error("1 2\n"),
            "p.sol:1: route: expected 'Route #1: 3 5 7' or 'Cost 191.3', found '1 2'; remove the "
            "line");
}

TEST(Writer, JsonHoldsTheSimulatedPlan) {
  Problem problem = ParseProblem("a.txt", kSolomonText);
  problem.name = "a \"b\"\\\n";
  EXPECT_EQ(JsonText(PlanJson(problem, Simulate(problem, {{{0, 1}}}))),
            "{\"instance\":\"a \\\"b\\\"\\\\\\n\",\"feasible\":true,\"cost\":20.0,"
            "\"travel\":20.0,\"vehicles\":1,\"extra_vehicles\":0.0,\"unserved\":0,"
            "\"violations\":[],\"routes\":[{\"customers\":[1,2],\"arrivals\":[5.0,12.0],"
            "\"starts\":[5.0,20.0],\"loads\":[4,9],\"returns\":33.0}]}");
  EXPECT_EQ(PlanJson(problem, Simulate(problem, {{{0}, {0}}}))["feasible"], false);
}

}  // namespace
}  // namespace dray
