#include "src/envs/waves/serving/wave_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "src/base/json.h"
#include "src/envs/waves/orders.h"
#include "src/envs/waves/random_streams.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

using testing::HasSubstr;

constexpr Effort kEffort = {.rounds = 400};

// Places 10 and 60 minutes away, and one past day.
std::shared_ptr<const Instance> Village() {
  const OrderFiles files = {
      .orders = {"orders.csv", "ordered,place,opens,closes\n08:10,near,10:00,12:00\n"},
      .places = {"places.csv", "place,x,y\ndepot,0,0\nnear,3,4\nfar,30,0\n"}};
  WavesConfig settings;
  settings.set_capacity(4);
  return std::make_shared<const Instance>(WithWholeDay(ParseOrders(files, settings)));
}

class WaveLinesTest : public testing::Test {
 protected:
  void Open(const std::string& policy, std::shared_ptr<const Instance> instance = Village()) {
    dispatcher_.emplace(std::move(instance), MakePolicy(policy), kEffort, /*seed=*/1);
    lines_.emplace(&*dispatcher_);
  }
  Json Answer(const std::string& line) { return ParsedJson(lines_->Answer(line)); }
  std::string ErrorOf(const std::string& line) {
    const Json answer = Answer(line);
    return answer.contains("error") ? answer["error"].get<std::string>() : "";
  }

  std::optional<Dispatcher> dispatcher_;
  std::optional<WaveLines> lines_;
};

constexpr char kNear[] =
    R"({"order": "A", "place": "near", "opens": "10:30", "closes": "12:00", "service": 5})";
constexpr char kFar[] = R"({"order": 7, "place": "far", "opens": 600, "closes": "14:30:30"})";

std::string Leaves(const std::string& when, const std::string& orders = "") {
  return R"({"leaves": ")" + when + R"(", "orders": [)" + orders + "]}";
}

TEST_F(WaveLinesTest, WhatGoesHasItsTimesAndWhatWaitsItsLastWave) {
  Open("lazy");
  const Json first = Answer(Leaves("10:00", std::string(kNear) + ", " + kFar));
  EXPECT_EQ(JsonText(first["routes"]), "[]");
  EXPECT_EQ(JsonText(first["waiting"]),
            R"([{"order":"A","leaves_by":"11:00"},{"order":"7","leaves_by":"13:00"}])");
  const Json second = Answer(Leaves("11:00"));
  EXPECT_EQ(JsonText(second["routes"]),
            R"([{"stops":[{"order":"A","place":"near","at":"11:10"}],"back":"11:25",)"
            R"("driving_min":20.0}])");
  EXPECT_EQ(second["driving_min"], 20);
  EXPECT_EQ(JsonText(Answer(Leaves("12:00"))["routes"]), "[]");
  const Json last = Answer(Leaves("13:00"));
  EXPECT_EQ(last["routes"][0]["stops"][0]["at"], "14:00");
  EXPECT_EQ(last["driving_today_min"], 140);
}

TEST_F(WaveLinesTest, VehiclesWaitForTheWindow) {
  Open("greedy");
  const Json answer = Answer(Leaves("10:00", kNear));
  EXPECT_EQ(answer["routes"][0]["stops"][0]["at"], "10:30");
  EXPECT_EQ(answer["routes"][0]["back"], "10:45");
  EXPECT_EQ(JsonText(answer["waiting"]), "[]");
}

TEST_F(WaveLinesTest, AWaveThatAnOrderNeedsIsNotSkipped) {
  Open("lazy");
  Answer(Leaves("10:00", kNear));
  EXPECT_EQ(ErrorOf(Leaves("12:00")), "order A must leave at 11:00; ask for that wave first");
  EXPECT_EQ(Answer(Leaves("11:00"))["driving_min"], 20);
  EXPECT_EQ(ErrorOf(Leaves("11:00")),
            R"(leaves 11:00: that wave has already left; {"new_day": true} starts a new day)");
  EXPECT_EQ(JsonText(Answer(R"({"new_day": true})")), R"({"new_day":true})");
  EXPECT_EQ(ErrorOf(Leaves("10:00", kNear)), "");
}

TEST_F(WaveLinesTest, WhatCannotBeAnsweredIsSaidAndChangesNothing) {
  Open("greedy");
  const auto order = [](const std::string& members) {
    return Leaves("10:00", std::string(R"({"order": "A", "opens": "10:00", )") + members + "}");
  };
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("expected one JSON object per line"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("the wave lacks \"leaves\"; example: {"));
  EXPECT_THAT(ErrorOf(Leaves("10:30")), HasSubstr("vehicles leave every hour from 01:00 to 24:00"));
  EXPECT_THAT(ErrorOf(Leaves("25:00")), HasSubstr("is not a time of day"));
  EXPECT_THAT(ErrorOf(R"({"leaves": "10:00", "orders": {}})"), HasSubstr("orders: must be a list"));
  EXPECT_THAT(ErrorOf(Leaves("10:00", "7")), HasSubstr("orders: must be objects"));
  EXPECT_THAT(ErrorOf(Leaves("10:00", "{}")), HasSubstr("the order lacks \"order\""));
  EXPECT_THAT(ErrorOf(order(R"("place": "nera", "closes": "12:00")")),
              HasSubstr("order A: place \"nera\": not in the file of places"));
  EXPECT_THAT(ErrorOf(order(R"("place": "depot", "closes": "12:00")")), HasSubstr("is the depot"));
  EXPECT_THAT(ErrorOf(order(R"("place": "near", "closes": "09:00")")),
              HasSubstr("order A: closes \"09:00\": is before it opens"));
  EXPECT_THAT(ErrorOf(order(R"("place": "near", "closes": "12:00", "load": 5)")),
              HasSubstr("load 5: must be a whole number from 0 to 4"));
  EXPECT_THAT(ErrorOf(order(R"("place": "near", "closes": "12:00", "service": -1)")),
              HasSubstr("service -1: must be a number of minutes"));
  EXPECT_EQ(ErrorOf(order(R"("place": "far", "closes": "10:30")")),
            "order A: no vehicle that leaves at 10:00 can serve it by 10:30 and be back by 24:00");
  EXPECT_THAT(ErrorOf(Leaves("10:00", std::string(kNear) + ", " + kNear)),
              HasSubstr("order A: was given before"));
  EXPECT_THAT(ErrorOf(R"({"new_day": 1})"), HasSubstr("new_day: must be true"));
  EXPECT_EQ(ErrorOf(Leaves("10:00", kNear)), "");
}

TEST_F(WaveLinesTest, EveryLineIsAnswered) {
  Open("conditional");
  std::istringstream in(Leaves("10:00", kNear) + "\n\nnonsense\n" + Leaves("11:00", kFar));
  std::ostringstream out;
  lines_->AnswerAll(in, out);
  std::istringstream answers(out.str());
  std::vector<Json> all;
  for (std::string line; std::getline(answers, line);) all.push_back(ParsedJson(line));
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0]["leaves"], "10:00");
  EXPECT_TRUE(all[1].contains("error"));
  EXPECT_EQ(all[2]["leaves"], "11:00");
}

// The same orders lead to the same routes as on a drawn day.
TEST_F(WaveLinesTest, ALiveDayIsDispatchedAsAnyOther) {
  const auto town = Town();
  const auto policy = MakePolicy("conditional");
  Day day(town, /*seed=*/0);
  Rng rng(/*seed=*/1, kPolicyStream, 0);
  Open("conditional", town);
  size_t told = 0, dispatched = 0;
  while (!day.done()) {
    std::vector<LiveOrder> orders;
    for (; told < day.arrived().size(); ++told) {
      orders.push_back({.name = std::to_string(told), .request = day.arrived()[told]});
    }
    const Ticks departure = day.departure();
    const Routes routes = policy->Decide(day, kEffort, rng);
    day.Dispatch(routes);
    EXPECT_EQ(dispatcher_->Dispatch(departure, orders).routes, routes);
    for (const auto& route : routes) dispatched += route.size();
  }
  EXPECT_EQ(dispatched, told);
  EXPECT_GT(told, 10);
  EXPECT_EQ(dispatcher_->day().cost(), day.cost());
}

}  // namespace
}  // namespace dray::waves
