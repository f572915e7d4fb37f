#include "src/loop/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/loop/episode_play.h"
#include "src/nets/best_actions.h"
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

class EveryYardstick : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Evaluator, EveryYardstick, testing::Values("dvrptw", "dvrptw_offer"));

TEST_P(EveryYardstick, PlaysTheSameEpisodesWhateverThePolicyIs) {
  const Config config = ConfigFor(GetParam(), /*episodes=*/4);
  Evaluator evaluator(config);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  const EvaluationReport report = evaluator.Compare(weights, {});
  EXPECT_EQ(Played(report), Played(Evaluator(config).Evaluate(weights)));
  ASSERT_EQ(report.reference_returns.size(), 4u);
  ASSERT_EQ(report.rival_returns.size(), 4u);
  EXPECT_NE(report.rival_returns, report.reference_returns);
  const EvaluationReport other = evaluator.Compare(MadeUpWeights(config, 2).ToBytes(), {});
  EXPECT_NE(Played(other), Played(report));
  EXPECT_EQ(other.reference_returns, report.reference_returns);
  EXPECT_EQ(other.rival_returns, report.rival_returns);
}

TEST(Evaluator, LeavesOutWhatIsForTheLearnerWithoutChangingTheEpisodes) {
  Config config = ConfigFor("dvrptw", /*episodes=*/2);
  auto& deliveries = *config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
  deliveries.set_encoding(DvrptwConfig::OUTLOOK);
  deliveries.mutable_appraisal()->set_futures(1);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  const EvaluationReport report = Evaluator(config).Evaluate(weights);
  for (int i = 0; i < 2; ++i) {
    const auto env = MakeEpisodeEnv(config, MakeBatchEnv, i);
    ASSERT_TRUE(env->spec().appraises);
    BestActions player(env->spec(), config.network());
    player.Load(weights);
    EXPECT_EQ(PlayEpisode(*env, i, player).total_reward, report.episodes[i].total_reward);
  }
}

TEST(Evaluator, HasNoYardstickWhereTheTaskHasNone) {
  const Config config = ConfigFor("cartpole", /*episodes=*/2);
  const EvaluationReport report = Evaluator(config).Compare(MadeUpWeights(config, 1).ToBytes(), {});
  EXPECT_TRUE(report.reference_returns.empty());
  EXPECT_EQ(report.episodes.size(), 2u);
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
