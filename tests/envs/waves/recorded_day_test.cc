#include "src/envs/waves/recorded_day.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

std::string ErrorOf(const std::string& line) {
  try {
    ParseDays("days.jsonl", line);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.what();
  }
  return "";
}

TEST(RecordedDay, IsALineOfJson) {
  const auto days = ParseDays("folder/days.jsonl",
                              "{\"instance\":\"a.txt\",\"seed\":18446744073709551615,\"cost\":12,"
                              "\"epochs\":{\"0\":[[3,1],[2]],\"2\":[]}}\n\n"
                              "{\"instance\":\"/b.txt\",\"seed\":2,\"epochs\":{}}");
  ASSERT_EQ(days.size(), 2u);
  EXPECT_EQ(days[0].where, "folder/days.jsonl:1");
  EXPECT_EQ(days[0].instance, "folder/a.txt");
  EXPECT_EQ(days[0].seed, UINT64_MAX);
  EXPECT_EQ(days[0].cost, 12);
  EXPECT_EQ(days[0].epochs.at(0), (Routes{{3, 1}, {2}}));
  EXPECT_TRUE(days[0].epochs.at(2).empty());
  EXPECT_EQ(days[1].where, "folder/days.jsonl:3");
  EXPECT_EQ(days[1].instance, "/b.txt");
  EXPECT_FALSE(days[1].cost.has_value());
}

TEST(RecordedDay, MistakesAreErrorsThatNameTheLineAndTheField) {
  EXPECT_EQ(ErrorOf(""), "days.jsonl: has no days; each line is a day");
  EXPECT_EQ(ErrorOf("\n[1]"), "days.jsonl:2: expected a day as a JSON object in one line");
  EXPECT_EQ(ErrorOf("{}"), "days.jsonl:1: instance: expected the name of a file");
  EXPECT_EQ(ErrorOf(R"({"instance":"a","seed":-1})"),
            "days.jsonl:1: seed: expected a whole number, not negative");
  EXPECT_EQ(ErrorOf(R"({"instance":"a","seed":1})"),
            "days.jsonl:1: epochs: expected an object with the routes of each epoch");
  EXPECT_EQ(ErrorOf(R"({"instance":"a","seed":1,"cost":1.5,"epochs":{}})"),
            "days.jsonl:1: cost: expected a whole number of seconds");
  EXPECT_EQ(ErrorOf(R"({"instance":"a","seed":1,"epochs":{"x":[]}})"),
            "days.jsonl:1: epochs: \"x\" is not the number of an epoch");
  for (const char* routes : {"1", "[1]", "[[-1]]", "[[2147483648]]", "[[1.5]]", "[[\"1\"]]"}) {
    EXPECT_EQ(ErrorOf(R"({"instance":"a","seed":1,"epochs":{"0":)" + std::string(routes) + "}}"),
              "days.jsonl:1: epochs: epoch 0: expected routes as lists of request numbers");
  }
}

TEST(RecordedDay, ALineOfADayReadsBack) {
  Day day(Town(), 7);
  while (!day.done()) {
    Routes routes;
    for (const Request& request : day.open()) routes.push_back({request.id});
    day.Dispatch(routes);
  }
  const RecordedDay read = ParseDays("days.jsonl", LineOf(day, "/town.txt")).at(0);
  EXPECT_EQ(read.instance, "/town.txt");
  EXPECT_EQ(read.seed, 7u);
  EXPECT_EQ(read.cost, day.cost());
  ASSERT_EQ(read.epochs.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read.epochs.at(i + 1), day.dispatched()[i]);
}

}  // namespace
}  // namespace dray::waves
