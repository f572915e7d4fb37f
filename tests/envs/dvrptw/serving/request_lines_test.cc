#include "src/envs/dvrptw/serving/request_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "src/base/json.h"
#include "src/base/json_lines.h"
#include "src/loop/trials.h"
#include "src/nets/best_actions.h"

namespace dray::dvrptw {
namespace {

using testing::HasSubstr;

Config Served(DvrptwConfig::Encoding encoding) {
  Config config;
  config.mutable_env()->set_name("dvrptw");
  DvrptwConfig& task = *config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
  task.set_num_customers(8);
  task.set_encoding(encoding);
  task.mutable_oracle()->set_rounds(3);
  config.mutable_network()->add_hidden(16);
  config.mutable_evaluation()->set_seed(11);
  return config;
}

std::string WeightsFor(const Config& config) {
  const NegotiateEnv env(config.env().GetExtension(DvrptwConfig::dvrptw), {}, 1);
  return UntrainedWeights(config, env.spec());
}

struct Played {
  std::vector<int> actions;
  PlannedRequests planned;
  std::vector<int> riders;
  std::vector<Trip> trips;
  std::vector<bool> agreed;
};

// The evaluation's first day, as a policy plays it that is told nothing.
Played PlayDrawnDay(const Config& config, const std::string& weights) {
  Played played;
  NegotiateEnv env(config.env().GetExtension(DvrptwConfig::dvrptw),
                   {.seed = config.evaluation().seed(), .purpose = RngPurpose::kEvaluation}, 1);
  env.OnRollout({.progress = 1, .side_model = {}});
  env.set_day_watcher([&](int, const Day& day) { played.planned = day.own; });
  BestActions best(env.spec(), config.network());
  best.Load(weights);
  const auto width = static_cast<size_t>(env.spec().observation_size);
  std::vector<float> observation(width), last(width);
  std::vector<uint8_t> mask(kShiftActions);
  std::vector<int16_t> bag(static_cast<size_t>(env.spec().bag.indices()));
  float reward = 0;
  uint8_t terminated = 0, truncated = 0;
  const StepSlots slots{observation,     mask, {&reward, 1}, {&terminated, 1},
                        {&truncated, 1}, last, bag};
  env.Reset(observation, mask, bag);
  best.Begin(0, 1);
  for (int i = 0; i < 8; ++i) {
    const Day& day = env.day(0);
    int32_t action = 0;
    best.Act({observation, mask, bag}, {{&action, 1}, {}});
    played.actions.push_back(action);
    played.riders.push_back(day.arrival().rider);
    played.trips.push_back(day.asked());
    played.agreed.push_back(
        Answer(AcceptByType, day.rider(), day.asked(), action, day.arrival().contrary));
    env.Step({{&action, 1}, {}}, slots);
  }
  return played;
}

Json RequestOf(int rider, const Trip& trip) {
  return {{"rider", rider},
          {"origin", trip.origin},
          {"destination", trip.destination},
          {"pickup_early", Minutes(trip.pickup_early)},
          {"pickup_late", Minutes(trip.pickup_late)},
          {"dropoff_early", Minutes(trip.dropoff_early)},
          {"dropoff_late", Minutes(trip.dropoff_late)}};
}

class RequestLinesTest : public testing::Test {
 protected:
  Json Tell(const Json& told) { return ParsedJson(lines_.Answer(JsonText(told))); }
  // The drawn day's request i.
  Json Ask(size_t i) { return Tell(RequestOf(played_.riders[i], played_.trips[i])); }
  std::string ErrorOf(const Json& told) { return Tell(told).value("error", "none"); }

  const Config config_ = Served(DvrptwConfig::OUTLOOK);
  const std::string weights_ = WeightsFor(config_);
  const Played played_ = PlayDrawnDay(config_, weights_);
  Desk desk_{config_, weights_, {}};
  RequestLines lines_{&desk_};
};

TEST(Desk, ToldADrawnDayItActsAsThePolicyDoesThatPlaysIt) {
  for (const auto encoding :
       {DvrptwConfig::ROWS, DvrptwConfig::COUNTS, DvrptwConfig::TOKENS, DvrptwConfig::OUTLOOK}) {
    const Config config = Served(encoding);
    const std::string weights = WeightsFor(config);
    const Played played = PlayDrawnDay(config, weights);
    Desk desk(config, weights, {});
    for (size_t i = 0; i < played.trips.size(); ++i) {
      EXPECT_EQ(desk.Ask(played.riders[i], played.trips[i]).action, played.actions[i]);
      EXPECT_TRUE(desk.Answer(played.agreed[i]));
    }
    EXPECT_TRUE(desk.over());
    EXPECT_EQ(desk.planned().plan.routes, played.planned.plan.routes);
    EXPECT_EQ(desk.planned().cost, played.planned.cost);
  }
}

TEST_F(RequestLinesTest, AProposalHasTheOddsAndThePriceOfEveryShift) {
  const Json answer = Ask(0);
  EXPECT_EQ(answer["request"], 1);
  EXPECT_EQ(answer["action"], played_.actions[0]);
  ASSERT_EQ(answer["shifts"].size(), 16u);
  double sum = 0, most = 0;
  for (const Json& shift : answer["shifts"]) {
    sum += shift["probability"].get<double>();
    most = std::max(most, shift["probability"].get<double>());
  }
  EXPECT_NEAR(sum, 1, 1e-4);
  const Json& chosen = answer["shifts"][static_cast<size_t>(played_.actions[0])];
  EXPECT_EQ(chosen["probability"], most);
  EXPECT_EQ(chosen["pickup_earlier_min"], answer["propose"]["pickup_earlier_min"]);
  // The first rider's trip costs the whole way there and back, whatever its times are.
  const Trip& trip = played_.trips[0];
  const City& city = desk_.world().city;
  const double way =
      Minutes(city.travel(city.depot, trip.origin) + city.travel(trip.origin, trip.destination) +
              city.travel(trip.destination, city.depot));
  EXPECT_NEAR(answer["shifts"][kNoShift]["adds_min"].get<double>(), way, 1e-9);
}

TEST_F(RequestLinesTest, APlanServesAllWhoWereAnswered) {
  std::set<int> answered;
  for (size_t i = 0; i < 8; ++i) {
    answered.insert(Ask(i)["rider"].get<int>());
    const Json answer = Tell({{"agrees", i % 2 == 0}});
    EXPECT_EQ(answer["agreed"], i % 2 == 0);
    EXPECT_EQ(answer["day_over"], i == 7);
    std::multiset<int> planned;
    for (const Json& route : answer["routes"]) {
      for (const Json& stop : route["stops"]) planned.insert(stop["rider"].get<int>());
    }
    EXPECT_EQ(planned.size(), 2 * answered.size());
    EXPECT_EQ(std::set<int>(planned.begin(), planned.end()), answered);
    EXPECT_EQ(answer["vehicles"], answer["routes"].size());
  }
  EXPECT_THAT(Ask(0).value("error", ""), HasSubstr("new_day"));
  EXPECT_EQ(Tell({{"new_day", true}})["new_day"], true);
  EXPECT_EQ(Ask(0)["request"], 1);
}

TEST_F(RequestLinesTest, TimesMayBeOfTheClockAndAnAnswerMayComeWithTheRequest) {
  Trip trip = played_.trips[0];
  trip.pickup_early = 600 * kTicksPerMinute;
  trip.pickup_late = 660 * kTicksPerMinute;
  trip.dropoff_early = 660 * kTicksPerMinute;
  trip.dropoff_late = 900 * kTicksPerMinute;
  Json told = RequestOf(3, trip);
  const Json by_minutes = Tell(told);
  Tell({{"new_day", true}});
  told["pickup_early"] = "10:00";
  told["pickup_late"] = "11:00";
  told["dropoff_early"] = "11:00";
  told["dropoff_late"] = "15:00";
  told["agrees"] = false;
  const Json by_clock = Tell(told);
  EXPECT_EQ(by_clock["propose"], by_minutes["propose"]);
  EXPECT_EQ(by_clock["agreed"], false);
  EXPECT_EQ(by_clock["routes"][0]["stops"][0]["what"], "pickup");
  EXPECT_EQ(by_clock["routes"][0]["stops"][0]["at"], "10:00");
}

TEST_F(RequestLinesTest, WhatCannotBeAnsweredSaysWhyAndChangesNothing) {
  const auto with = [&](const char* name, const Json& value) {
    Json told = RequestOf(played_.riders[0], played_.trips[0]);
    told[name] = value;
    return ErrorOf(told);
  };
  EXPECT_THAT(lines_.Answer("garbage"), HasSubstr("one JSON object"));
  EXPECT_THAT(lines_.Answer("[1]"), HasSubstr("one JSON object"));
  EXPECT_THAT(lines_.Answer("\xff\xfe{"), HasSubstr("one JSON object"));
  EXPECT_THAT(ErrorOf({{"agrees", true}}), HasSubstr("there is no open proposal"));
  EXPECT_THAT(ErrorOf({{"rider", 1}}), HasSubstr("the request lacks \"origin\"; example: {"));
  EXPECT_THAT(with("rider", 8), HasSubstr("rider 8: must be a whole number from 0 to 7"));
  EXPECT_THAT(with("rider", -1), HasSubstr("from 0 to 7"));
  EXPECT_THAT(with("rider", "anna"), HasSubstr("from 0 to 7"));
  EXPECT_THAT(with("origin", 1e9), HasSubstr("origin"));
  EXPECT_THAT(with("pickup_early", "25:00"), HasSubstr("is not a time of day"));
  EXPECT_THAT(with("pickup_early", -5), HasSubstr("is not a time of day"));
  EXPECT_THAT(with("pickup_early", nullptr), HasSubstr("is not a time of day"));
  EXPECT_THAT(with("dropoff_late", 0), HasSubstr("dropoff_early is later"));
  EXPECT_THAT(with("agrees", "yes"), HasSubstr("must be true or false"));
  EXPECT_EQ(Ask(0)["action"], played_.actions[0]);
  EXPECT_THAT(Ask(1).value("error", ""), HasSubstr("the last proposal is unanswered"));
  EXPECT_EQ(Tell({{"agrees", true}})["request"], 1);
  EXPECT_THAT(Ask(0).value("error", ""), HasSubstr("has already asked today"));
}

TEST_F(RequestLinesTest, ALineOfManyLevelsIsAnsweredWithAnError) {
  for (const char bracket : {'[', '{'}) {
    EXPECT_THAT(lines_.Answer(std::string(300'000, bracket)), HasSubstr("at most 32 levels"));
  }
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  EXPECT_THAT(lines_.Answer("{\"rider\":" + deep + "}"), HasSubstr("at most 32 levels"));
}

TEST_F(RequestLinesTest, AMessageQuotesTheBeginningOfALongValue) {
  const std::string answer = lines_.Answer("{\"new_day\":\"" + std::string(10'000, 'x') + "\"}");
  EXPECT_THAT(answer, HasSubstr("xxx...: must be true or false"));
  EXPECT_LT(answer.size(), 200u);
}

TEST_F(RequestLinesTest, EachLineIsAnsweredAndALongOneWithAnError) {
  const std::string day = "{\"new_day\":true}";
  const auto padded = [&](size_t size) { return day + std::string(size - day.size(), ' '); };
  const size_t most = kMostJsonLine;
  std::istringstream in(day + "\n\n \r\n" + padded(most) + "\n" + padded(most + 1) + "\n" +
                        std::string(3 * most, 'x') + "\n" + day + "\r\n" + padded(most));
  std::ostringstream out;
  lines_.AnswerAll(in, out);
  const std::string good = day + "\n";
  const std::string bad = "{\"error\":\"the line is longer than 1048576 bytes\"}\n";
  EXPECT_EQ(out.str(), good + good + bad + bad + good + good);
}

TEST_F(RequestLinesTest, NothingMoreIsReadWhenNobodyReadsTheAnswers) {
  std::istringstream in("{\"new_day\":true}\n{\"new_day\":true}\nrest");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  lines_.AnswerAll(in, out);
  EXPECT_EQ(in.tellg(), 0);
}

}  // namespace
}  // namespace dray::dvrptw
