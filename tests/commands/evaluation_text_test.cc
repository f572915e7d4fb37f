#include "src/commands/evaluation_text.h"

#include <gtest/gtest.h>

#include "src/envs/cage2/cage2.pb.h"

namespace dray {
namespace {

const EvaluatedPolicy kPolicy{"policy sleep", "\"policy\": \"sleep\""};

// Two episodes of a task with one statistic.
EvaluationReport TwoEpisodes() {
  EvaluationReport report;
  report.episodes = {{.env = 0, .length = 3, .total_reward = -1, .stats = {10}},
                     {.env = 0, .length = 4, .total_reward = -3, .stats = {14}}};
  return report;
}

EnvSpec PlainSpec() {
  EnvSpec spec;
  spec.name = "shop";
  spec.max_episode_steps = 9;
  spec.episode_stats = {"sold"};
  return spec;
}

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

std::vector<RedScore> ThreeReds() {
  return {{"bline", Game(-10, -20, -30)}, {"meander", Game(-4, -5, -6)}, {"sleep", Game(0, 0, 0)}};
}

Config Settings(Cage2Config::Release release) {
  Config config;
  config.mutable_env()->set_name("cage2");
  config.mutable_env()->MutableExtension(Cage2Config::cage2)->set_release(release);
  config.mutable_evaluation()->set_seed(8);
  return config;
}

TEST(EvaluationText, SaysReturnLengthEpisodesAndEachStatistic) {
  EXPECT_EQ(EvaluationText(kPolicy, TwoEpisodes(), PlainSpec(), Settings(Cage2Config::HEAD)),
            "shop, policy sleep\n"
            "  return   -2.00 ± 12.71 (95 % interval of the mean), std 1.41\n"
            "  length   3.5 steps\n"
            "  episodes 2, seed 8\n"
            "  sold                   12, std 2.828\n");
}

TEST(EvaluationText, HasNoIntervalForOneEpisode) {
  EvaluationReport report = TwoEpisodes();
  report.episodes.pop_back();
  EXPECT_EQ(EvaluationText(kPolicy, report, PlainSpec(), Settings(Cage2Config::HEAD)),
            "shop, policy sleep\n"
            "  return   -1.00 (one episode: no interval)\n"
            "  length   3.0 steps\n"
            "  episodes 1, seed 8\n"
            "  sold                   10, std 0\n");
}

TEST(EvaluationJson, IsOneLineWithTheStandardErrorOfEachStatistic) {
  EvaluationReport report = TwoEpisodes();
  report.episodes[1].total_reward = -1;
  EXPECT_EQ(EvaluationJson(kPolicy, report, PlainSpec(), Settings(Cage2Config::HEAD)),
            "{\"env\": \"shop\", \"policy\": \"sleep\", \"episodes\": 2, \"seed\": 8, "
            "\"return_mean\": -1, \"return_std\": 0, \"return_ci95\": 0, \"length_mean\": 3.5, "
            "\"stats\": {\"sold\": {\"mean\": 12, \"std\": 2.8284271247461903, \"sem\": 2}}}\n");
}

TEST(EvaluationJson, HasNullWhereOneEpisodeHasNoInterval) {
  EvaluationReport report = TwoEpisodes();
  report.episodes.pop_back();
  EXPECT_EQ(EvaluationJson(kPolicy, report, PlainSpec(), Settings(Cage2Config::HEAD)),
            "{\"env\": \"shop\", \"policy\": \"sleep\", \"episodes\": 1, \"seed\": 8, "
            "\"return_mean\": -1, \"return_std\": 0, \"return_ci95\": null, \"length_mean\": 3, "
            "\"stats\": {\"sold\": {\"mean\": 10, \"std\": 0, \"sem\": 0}}}\n");
}

TEST(EvaluationJson, NamesTheVersionOfWeights) {
  EvaluationReport report = TwoEpisodes();
  report.policy_version = 4;
  const std::string json =
      EvaluationJson({"epoch 3", "\"epoch\": 3"}, report, PlainSpec(), Settings(Cage2Config::HEAD));
  EXPECT_TRUE(
      json.starts_with("{\"env\": \"shop\", \"epoch\": 3, \"policy_version\": 4, \"episodes\": 2,"))
      << json;
}

TEST(ScoresJson, AreExactForEqualNumbers) {
  EvaluationReport report;
  for (int i = 0; i < 300; ++i) {
    report.episodes.push_back(
        {.env = 0, .length = 100, .total_reward = -0.1, .stats = {-0.1, 0, 0, 0, 1}});
  }
  const std::string json =
      ScoresJson(kPolicy, {{"sleep", report}}, GameSpec(100), Settings(Cage2Config::HEAD));
  EXPECT_NE(json.find("\"server_restored\": 1}"), json.npos) << json;
}

// The member "returns" of a report about episodes of that many steps.
std::string Returns(int steps) {
  const std::string json =
      EvaluationJson(kPolicy, Game(-10, -20, -30), GameSpec(steps), Settings(Cage2Config::HEAD));
  const size_t begin = json.find("\"returns\": "), end = json.find(", \"stats\"");
  return begin == json.npos ? "" : json.substr(begin, end - begin);
}

TEST(EvaluationJson, OfTheGameHasTheHorizonsThatFitIntoAnEpisode) {
  const std::string spread = "\"std\": 1.4142135623730951, \"sem\": 1}";
  const std::string at_30 = "\"returns\": {\"30\": {\"mean\": -11, " + spread;
  const std::string at_50 = ", \"50\": {\"mean\": -21, " + spread;
  EXPECT_EQ(Returns(100), at_30 + at_50 + ", \"100\": {\"mean\": -31, " + spread + "}");
  EXPECT_EQ(Returns(50), at_30 + ", \"50\": {\"mean\": -31, " + spread + "}");
  EXPECT_EQ(Returns(30), "\"returns\": {\"30\": {\"mean\": -31, " + spread + "}");
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
    const auto cell = [&](int steps, int mean) {
      return "\"" + std::to_string(steps) + "\": {\"mean\": " + std::to_string(mean) + ", " +
             spread;
    };
    return "\"" + std::string(red) + "\": {\"returns\": {" + cell(30, at_30) + ", " +
           cell(50, at_50) + ", " + cell(100, at_100) + "}, \"server_restored\": 0.5}";
  };
  EXPECT_EQ(ScoresJson(kPolicy, ThreeReds(), GameSpec(100), Settings(Cage2Config::HEAD)),
            "{\"env\": \"cage2\", \"policy\": \"sleep\", \"episodes\": 2, \"seed\": 8, "
            "\"scores\": {" +
                row("bline", -11, -21, -31) + ", " + row("meander", -5, -6, -7) + ", " +
                row("sleep", -1, -1, -1) + "}, \"total\": -84}\n");
}

TEST(ScoresJson, OfShorterEpisodesAddsUpWhatThereIs) {
  const std::string json =
      ScoresJson(kPolicy, ThreeReds(), GameSpec(30), Settings(Cage2Config::HEAD));
  EXPECT_NE(json.find("\"total\": -39}"), json.npos) << json;
}

TEST(JsonString, EscapesWhatJsonCannotHold) {
  EXPECT_EQ(JsonString("actions:a.txt"), "\"actions:a.txt\"");
  EXPECT_EQ(JsonString("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(JsonString("a\nb\tc\x01"), "\"a\\u000ab\\u0009c\\u0001\"");
  EXPECT_EQ(JsonString("Straße"), "\"Straße\"");
}

}  // namespace
}  // namespace dray
