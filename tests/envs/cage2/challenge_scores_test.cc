#include "src/envs/cage2/challenge_scores.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/env/evaluated_policy.h"
#include "src/envs/cage2/cage2.pb.h"

namespace dray::cage2 {
namespace {

const EvaluatedPolicy kPolicy{"policy sleep", {{"policy", "sleep"}}};

EnvSpec GameSpec(int steps) {
  EnvSpec spec;
  spec.name = "cage2";
  spec.max_episode_steps = steps;
  spec.episode_stats = {"env_return", "return_30", "return_50", "server_down_steps",
                        "server_restored"};
  return spec;
}

// Two episodes, the second with returns lower by 2 at each horizon and a restored server.
EvaluationReport Game(double at_30, double at_50, double at_end) {
  EvaluationReport report;
  for (const int i : {0, 1}) {
    const double less = 2.0 * i;
    // The reward of training is another than the game's.
    report.episodes.push_back(
        {.env = 0,
         .length = 100,
         .total_reward = 5,
         .stats = {at_end - less, at_30 - less, at_50 - less, 7, static_cast<double>(i)}});
  }
  return report;
}

std::vector<ScoreRow> ThreeReds() {
  return {{"bline", Game(-10, -20, -30)}, {"meander", Game(-4, -5, -6)}, {"sleep", Game(0, 0, 0)}};
}

Config Settings(Cage2Config::Release release) {
  Config config;
  config.mutable_env()->set_name("cage2");
  config.mutable_env()->MutableExtension(Cage2Config::cage2)->set_release(release);
  config.mutable_evaluation()->set_seed(8);
  return config;
}

TEST(ScoresJson, AreExactForEqualNumbers) {
  EvaluationReport report;
  for (int i = 0; i < 300; ++i) {
    report.episodes.push_back(
        {.env = 0, .length = 100, .total_reward = -0.1, .stats = {-0.1, 0, 0, 0, 1}});
  }
  const Json json =
      ScoresJson(kPolicy, {{"sleep", report}}, GameSpec(100), Settings(Cage2Config::HEAD));
  EXPECT_EQ(json["scores"]["sleep"]["server_restored"], 1) << json;
}

// The returns of episodes of that many steps.
Json Returns(int steps) { return ReturnsJson(Game(-10, -20, -30), GameSpec(steps)); }

TEST(ReturnsJson, HasTheHorizonsThatFitIntoAnEpisode) {
  const std::string spread = "\"std\": 1.4142135623730951, \"sem\": 1}";
  const std::string at_30 = "{\"returns\": {\"30\": {\"mean\": -11, " + spread;
  const std::string at_50 = ", \"50\": {\"mean\": -21, " + spread;
  EXPECT_EQ(Returns(100),
            ParsedJson(at_30 + at_50 + ", \"100\": {\"mean\": -31, " + spread + "}}"));
  EXPECT_EQ(Returns(50), ParsedJson(at_30 + ", \"50\": {\"mean\": -31, " + spread + "}}"));
  EXPECT_EQ(Returns(30), ParsedJson("{\"returns\": {\"30\": {\"mean\": -31, " + spread + "}}"));
}

TEST(ScoresText, SetsThePublishedWinnerBesideTheLeaderboardsRules) {
  EXPECT_EQ(ScoresText(kPolicy, ThreeReds(), GameSpec(100), Settings(Cage2Config::LEADERBOARD)),
            "cage2, policy sleep\n"
            "  mean return (standard deviation) at  30  50  100 steps\n"
            "  bline       -11.00 (  1.41)    -21.00 (  1.41)    -31.00 (  1.41)"
            "   Op_Server0 restored in 50 % of episodes   published winner -3.47 / -6.41 / -13.76\n"
            "  meander      -5.00 (  1.41)     -6.00 (  1.41)     -7.00 (  1.41)"
            "   Op_Server0 restored in 50 % of episodes   published winner -5.64 / -8.69 / -16.60\n"
            "  sleep        -1.00 (  1.41)     -1.00 (  1.41)     -1.00 (  1.41)"
            "   Op_Server0 restored in 50 % of episodes\n"
            "  total      -84.00   (published winner -54.57)\n"
            "  2 episodes each, seed 8\n");
}

TEST(ScoresText, ComparesWithNobodyUnderOtherRules) {
  Config green = Settings(Cage2Config::LEADERBOARD);
  green.mutable_env()->MutableExtension(Cage2Config::cage2)->set_green(Cage2Config::ON);
  for (const auto& [spec, config] :
       {std::pair(GameSpec(100), Settings(Cage2Config::HEAD)), std::pair(GameSpec(100), green),
        std::pair(GameSpec(60), Settings(Cage2Config::LEADERBOARD))}) {
    const std::string text = ScoresText(kPolicy, ThreeReds(), spec, config);
    EXPECT_EQ(text.find("published"), text.npos) << text;
    EXPECT_NE(text.find("  total      -84.00\n"), text.npos) << text;
  }
}

TEST(ScoresJson, HasNineReturnsAndTheirTotal) {
  const std::string spread = "\"std\": 1.4142135623730951, \"sem\": 1}";
  const auto row = [&](const char* red, int at_30, int at_50, int at_100) {
    return Cat("\"", red, "\": {\"returns\": {\"30\": {\"mean\": ", at_30, ", ", spread,
               ", \"50\": {\"mean\": ", at_50, ", ", spread, ", \"100\": {\"mean\": ", at_100, ", ",
               spread, "}, \"server_restored\": 0.5}");
  };
  EXPECT_EQ(ScoresJson(kPolicy, ThreeReds(), GameSpec(100), Settings(Cage2Config::HEAD)),
            ParsedJson("{\"env\": \"cage2\", \"policy\": \"sleep\", \"episodes\": 2, \"seed\": 8, "
                       "\"scores\": {" +
                       row("bline", -11, -21, -31) + ", " + row("meander", -5, -6, -7) + ", " +
                       row("sleep", -1, -1, -1) + "}, \"total\": -84}"));
}

TEST(ScoresJson, OfShorterEpisodesAddsUpWhatThereIs) {
  EXPECT_EQ(ScoresJson(kPolicy, ThreeReds(), GameSpec(30), Settings(Cage2Config::HEAD))["total"],
            -39);
}

}  // namespace
}  // namespace dray::cage2
