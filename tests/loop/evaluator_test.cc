#include "src/loop/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/rollout/made_up_weights.h"
#include "tests/rollout/shopping_env.h"

namespace dray {
namespace {

using testing::HasSubstr;

Config ConfigFor(const std::string& env, int episodes) {
  Config config;
  config.mutable_env()->set_name(env);
  config.mutable_network()->add_hidden(8);
  config.mutable_evaluation()->set_episodes(episodes);
  return config;
}

// The returns and lengths of a report's episodes.
std::vector<std::pair<double, int64_t>> Played(const EvaluationReport& report) {
  std::vector<std::pair<double, int64_t>> played;
  for (const Episode& episode : report.episodes)
    played.emplace_back(episode.total_reward, episode.length);
  return played;
}

class EveryAction : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Evaluator, EveryAction, testing::Values("cartpole", "pendulum"));

TEST_P(EveryAction, TheSameWeightsPlayTheSameEpisodesWhateverWasPlayedBefore) {
  const Config config = ConfigFor(GetParam(), /*episodes=*/5);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  Evaluator evaluator(config);
  const EvaluationReport report = evaluator.Evaluate(weights);
  EXPECT_EQ(report.policy_version, 3);
  EXPECT_EQ(report.episodes.size(), 5u);
  EXPECT_NE(Played(evaluator.Evaluate(MadeUpWeights(config, 2).ToBytes())), Played(report));
  EXPECT_EQ(Played(evaluator.Evaluate(weights)), Played(report));
  EXPECT_EQ(Played(Evaluator(config).Evaluate(weights)), Played(report));
}

TEST_P(EveryAction, AnEpisodeDoesNotDependOnHowManyThereAre) {
  const Config few = ConfigFor(GetParam(), /*episodes=*/2);
  const Config many = ConfigFor(GetParam(), /*episodes=*/6);
  const std::string weights = MadeUpWeights(few, 1).ToBytes();
  auto played = Played(Evaluator(many).Evaluate(weights));
  played.resize(2);
  EXPECT_EQ(Played(Evaluator(few).Evaluate(weights)), played);
}

TEST_P(EveryAction, TheSeedOfTrainingDoesNotMatterThatOfEvaluationDoes) {
  Config config = ConfigFor(GetParam(), /*episodes=*/5);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  const auto played = Played(Evaluator(config).Evaluate(weights));
  config.mutable_train()->set_seed(99);
  EXPECT_EQ(Played(Evaluator(config).Evaluate(weights)), played);
  config.mutable_evaluation()->set_seed(99);
  EXPECT_NE(Played(Evaluator(config).Evaluate(weights)), played);
}

TEST(Evaluator, AWatcherSeesEveryStepAndTheEnd) {
  const Config config = ConfigFor("cartpole", /*episodes=*/1);
  std::vector<std::string> seen;
  const EvaluationReport report =
      Evaluator(config).Evaluate(MadeUpWeights(config, 1).ToBytes(), {},
                                 {.text = [&](const std::string& text) { seen.push_back(text); }});
  ASSERT_EQ(seen.size(), report.episodes[0].length + 2u);
  EXPECT_EQ(seen.front(), "Episode 1");
  EXPECT_THAT(seen.back(), HasSubstr("steps"));
}

TEST(Evaluator, PlaysTasksWithABag) {
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_evaluation()->set_episodes(4);
  const EnvSpec spec = ShoppingEnv({}, 1).spec();
  const auto weights = MadeUpWeights(spec, config.network(), 1).ToBytes();
  Evaluator evaluator(config, MakeShoppingEnv);
  const EvaluationReport report = evaluator.Evaluate(weights);
  ASSERT_EQ(report.episodes.size(), 4u);
  for (const Episode& episode : report.episodes) EXPECT_GE(episode.length, 3);
  EXPECT_EQ(Played(evaluator.Evaluate(weights)), Played(report));
}

TEST(Evaluator, WeightsOfAnotherNetworkAreAnError) {
  Evaluator evaluator(ConfigFor("cartpole", 1));
  EXPECT_THROW(evaluator.Evaluate(MadeUpWeights(ConfigFor("pendulum", 1), 1).ToBytes()), Error);
}

}  // namespace
}  // namespace dray
