#include "src/commands/evaluation_text.h"

#include <gtest/gtest.h>

#include "src/base/json.h"

namespace dray {
namespace {

const EvaluatedPolicy kPolicy{"policy sleep", {{"policy", "sleep"}}};

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

Config Settings() {
  Config config;
  config.mutable_evaluation()->set_seed(8);
  return config;
}

TEST(EvaluationText, SaysReturnLengthEpisodesAndEachStatistic) {
  EXPECT_EQ(EvaluationText(kPolicy, TwoEpisodes(), PlainSpec(), Settings()),
            "shop, policy sleep\n"
            "  return   -2.00 ± 12.71 (95 % interval of the mean), std 1.41\n"
            "  length   3.5 steps\n"
            "  episodes 2, seed 8\n"
            "  sold                   12, std 2.828\n");
}

TEST(EvaluationText, HasNoIntervalForOneEpisode) {
  EvaluationReport report = TwoEpisodes();
  report.episodes.pop_back();
  EXPECT_EQ(EvaluationText(kPolicy, report, PlainSpec(), Settings()),
            "shop, policy sleep\n"
            "  return   -1.00 (one episode: no interval)\n"
            "  length   3.0 steps\n"
            "  episodes 1, seed 8\n"
            "  sold                   10, std 0\n");
}

TEST(EvaluationJson, IsOneLineWithTheStandardErrorOfEachStatistic) {
  EvaluationReport report = TwoEpisodes();
  report.episodes[1].total_reward = -1;
  EXPECT_EQ(EvaluationJson(kPolicy, report, PlainSpec(), Settings()),
            ParsedJson(
                "{\"env\": \"shop\", \"policy\": \"sleep\", \"episodes\": 2, \"seed\": 8, "
                "\"return_mean\": -1, \"return_std\": 0, \"return_ci95\": 0, \"length_mean\": 3.5, "
                "\"stats\": {\"sold\": {\"mean\": 12, \"std\": 2.8284271247461903, \"sem\": 2}}}"));
}

TEST(EvaluationJson, HasNullWhereOneEpisodeHasNoInterval) {
  EvaluationReport report = TwoEpisodes();
  report.episodes.pop_back();
  EXPECT_EQ(
      ParsedJson(JsonText(EvaluationJson(kPolicy, report, PlainSpec(), Settings()))),
      ParsedJson(
          "{\"env\": \"shop\", \"policy\": \"sleep\", \"episodes\": 1, \"seed\": 8, "
          "\"return_mean\": -1, \"return_std\": 0, \"return_ci95\": null, \"length_mean\": 3, "
          "\"stats\": {\"sold\": {\"mean\": 10, \"std\": 0, \"sem\": 0}}}"));
}

TEST(EvaluationJson, NamesTheVersionOfWeights) {
  EvaluationReport report = TwoEpisodes();
  report.policy_version = 4;
  const std::string json =
      JsonText(EvaluationJson({"epoch 3", {{"epoch", 3}}}, report, PlainSpec(), Settings()));
  EXPECT_TRUE(
      json.starts_with("{\"env\":\"shop\",\"epoch\":3,\"policy_version\":4,\"episodes\":2,"))
      << json;
}

TEST(EvaluationJson, HasTheMembersThatATaskAdds) {
  const std::string json =
      JsonText(EvaluationJson(kPolicy, TwoEpisodes(), PlainSpec(), Settings(), {{"sales", 2}}));
  EXPECT_NE(json.find("\"length_mean\":3.5,\"sales\":2,\"stats\":{"), json.npos) << json;
}

TEST(EpisodesJson, NumbersEveryEpisode) {
  EXPECT_EQ(EpisodesJson(TwoEpisodes(), PlainSpec(), Settings()),
            ParsedJson("[{\"episode\": 1, \"return\": -1, \"length\": 3}, "
                       "{\"episode\": 2, \"return\": -3, \"length\": 4}]"));
}

// The game's own return is what counts; what was rewarded for following a workflow comes second.
TEST(EvaluationText, OfAWorkflowHasTheGamesOwnReturnFirst) {
  EvaluationReport report = TwoEpisodes();
  report.episodes[0].stats = {-20, 0.9};
  report.episodes[1].stats = {-24, 1};
  EnvSpec spec = PlainSpec();
  spec.name = "cage2";
  spec.episode_stats = {"env_return", "compliance"};
  Config config = Settings();
  config.mutable_env()->set_name("cage2");
  EXPECT_EQ(EpisodesJson(report, spec, config)[1]["return"], -24);
  EXPECT_EQ(EvaluationText(kPolicy, report, spec, config),
            "cage2, policy sleep\n"
            "  return   -22.00 ± 25.41 (95 % interval of the mean), std 2.83\n"
            "  reward   -2.00 ± 12.71 (95 % interval of the mean), std 1.41\n"
            "           (return is the game's own; reward has what following the workflow adds)\n"
            "  length   3.5 steps\n"
            "  episodes 2, seed 8\n"
            "  env_return             -22, std 2.828\n"
            "  compliance             0.95, std 0.07071\n");
  const Json json = EvaluationJson(kPolicy, report, spec, config);
  EXPECT_EQ(json.at("return_mean"), -22);
  EXPECT_EQ(json.at("reward_mean"), -2);
}

}  // namespace
}  // namespace dray
