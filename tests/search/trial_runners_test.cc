#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/loop/checkpoint.h"
#include "src/loop/evaluator.h"
#include "src/search/cluster_trial_runner.h"
#include "src/search/local_trial_runner.h"
#include "src/search/train_trial.h"
#include "tests/cluster/in_process_cluster.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Fate = InProcessCluster::Fate;
using Results = std::map<int, TrialResult>;

// CartPole stands in for a task with workflows.
Config ShortTraining() {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_train()->set_epochs(3);
  config.mutable_train()->set_rollout_steps(64);
  config.mutable_scale()->set_num_envs(4);
  config.mutable_scale()->set_envs_per_shard(2);
  config.mutable_scale()->set_threads(1);
  config.mutable_ppo()->set_minibatch_size(64);
  config.mutable_network()->add_hidden(8);
  config.mutable_evaluation()->set_episodes(1);
  config.mutable_search()->set_episodes(4);
  config.mutable_run()->set_tensorboard(false);
  config.mutable_run()->set_device(CPU);
  config.mutable_ray()->set_heartbeat_interval_s(0.02);
  config.mutable_ray()->set_max_restarts(2);
  return config;
}

class TrialRunners : public testing::Test {
 protected:
  TrialRunners() {
    for (int i = 1; i <= 3; ++i) {
      Trial trial;
      trial.number = i;
      trial.seed = static_cast<uint64_t>(100 + i);
      trials_.push_back(trial);
    }
    std::filesystem::remove_all(Folder());
  }

  std::string Folder() const {
    return Cat(testing::TempDir(), "/",
               testing::UnitTest::GetInstance()->current_test_info()->name());
  }

  TrialConfig Configs(const std::string& name) {
    return [this, name](const Trial& trial) {
      Config config = config_;
      config.mutable_train()->set_seed(trial.seed);
      config.mutable_run()->set_dir(Cat(Folder(), "/", name, "/", TrialFolderName(trial.number)));
      config.mutable_run()->set_init_from(trial.init_from);
      return config;
    };
  }

  Results Evaluate(TrialRunner& runner) {
    Results results;
    runner.Evaluate(
        trials_, [&](const Trial& trial, const TrialResult& r) { results[trial.number] = r; },
        [] { return false; });
    return results;
  }

  Results Locally(const std::string& name) {
    LocalTrialRunner runner(Configs(name));
    return Evaluate(runner);
  }

  Results OnCluster(const std::string& name, InProcessCluster::Strike strike = nullptr) {
    Cluster::Info info;
    info.cpus = info.free_cpus = 4;
    InProcessCluster cluster(info);
    if (strike) cluster.set_strike(strike);
    ClusterTrialRunner runner(cluster, ClusterTrialRunner::ShareOf(config_, info, 3), Configs(name),
                              [this](const std::string& line) { said_ += line + "\n"; });
    const Results results = Evaluate(runner);
    EXPECT_TRUE(cluster.alive().empty());
    return results;
  }

  static void ExpectSame(const Results& a, const Results& b) {
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [number, one] : a) {
      const TrialResult& other = b.at(number);
      EXPECT_EQ(one.mean_return, other.mean_return);
      EXPECT_EQ(one.return_variance, other.return_variance);
      EXPECT_EQ(one.episodes, other.episodes);
      EXPECT_EQ(one.updates, other.updates);
    }
  }

  Config config_ = ShortTraining();
  std::vector<Trial> trials_;
  std::string said_;
};

TEST_F(TrialRunners, InThisProcessEachTrainsInItsOwnFolder) {
  const Results results = Locally("local");
  ASSERT_EQ(results.size(), 3u);
  for (const auto& [number, result] : results) {
    EXPECT_EQ(result.updates, 3);
    EXPECT_EQ(result.episodes, 4);
    EXPECT_GT(result.mean_return, 0);
    EXPECT_EQ(result.compliance, 1);
    EXPECT_FALSE(result.stopped_early);
    const std::string folder = Cat(Folder(), "/local/", TrialFolderName(number));
    EXPECT_THAT(result.checkpoint, HasSubstr(folder));
    EXPECT_TRUE(std::filesystem::exists(result.checkpoint));
    EXPECT_THAT(ReadFile(folder + "/train.log"), HasSubstr("Finished after 3 epochs"));
  }
  EXPECT_NE(results.at(1).mean_return, results.at(2).mean_return);
}

TEST_F(TrialRunners, OnAClusterTheNumbersAndTheFilesAreTheSame) {
  const Results local = Locally("local");
  const Results cluster = OnCluster("cluster");
  ExpectSame(local, cluster);
  for (const auto& [number, result] : cluster) {
    EXPECT_TRUE(std::filesystem::exists(result.checkpoint));
    const std::string folder = Cat(Folder(), "/cluster/", TrialFolderName(number));
    EXPECT_TRUE(std::filesystem::exists(folder + "/metrics.jsonl"));
    EXPECT_TRUE(std::filesystem::exists(folder + "/weights.pt"));
  }
}

TEST_F(TrialRunners, ALostTrialIsBegunAgainWithTheSameResult) {
  const Results local = Locally("local");
  const Results cluster = OnCluster("cluster", [](const std::string& actor,
                                                  const std::string& method, int) {
    const bool strike = method == "train" && (actor == "workflow-002" || actor == "workflow-003");
    return strike ? actor == "workflow-002" ? Fate::kDiesBefore : Fate::kDiesAfter : Fate::kNothing;
  });
  ExpectSame(local, cluster);
  EXPECT_THAT(said_, HasSubstr("workflow-002 was lost"));
  EXPECT_THAT(said_, HasSubstr("workflow-003 was lost"));
}

TEST_F(TrialRunners, ATrialThatIsLostTooOftenEndsTheSearchWithOneLine) {
  try {
    OnCluster("cluster", [](const std::string& actor, const std::string& method, int) {
      return method == "train" && actor.starts_with("workflow-002") ? Fate::kDiesBefore
                                                                    : Fate::kNothing;
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("workflow-002 was lost 3 times"));
    EXPECT_THAT(error.what(), HasSubstr("ray.max_restarts 2"));
  }
}

TEST_F(TrialRunners, WhatATrainingGotWrongIsItsOwnLine) {
  config_.mutable_run()->set_init_from("/nowhere.ckpt");
  for (Trial& trial : trials_) trial.init_from = "/nowhere.ckpt";
  for (const bool on_cluster : {false, true}) {
    try {
      on_cluster ? OnCluster("cluster") : Locally("local");
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("/nowhere.ckpt"));
    }
  }
}

TEST_F(TrialRunners, AWarmStartBeginsWithTheTrainedNetworksOnEitherRunner) {
  const Results cold = Locally("cold");
  config_.mutable_train()->set_epochs(1);
  trials_.resize(1);
  const Results fresh = Locally("fresh");
  trials_[0].init_from = cold.at(3).checkpoint;
  const Results local = Locally("local");
  ExpectSame(local, OnCluster("cluster"));
  // The same chance met other networks.
  EXPECT_NE(local.at(1).mean_return, fresh.at(1).mean_return);
  EXPECT_EQ(local.at(1).updates, 1);
}

TEST_F(TrialRunners, AnInterruptionGivesTrialsUpAndTheyCanBeginAgain) {
  config_.mutable_train()->set_epochs(100000);
  LocalTrialRunner local(Configs("x"));
  int finished = 0, asked = 0;
  local.Evaluate(
      std::span(trials_).first(1), [&](const Trial&, const TrialResult&) { ++finished; },
      [&] { return ++asked > 5; });
  EXPECT_EQ(finished, 0);
  config_.mutable_train()->set_epochs(3);
  ExpectSame(Locally("x"), Locally("y"));
}

TEST_F(TrialRunners, AnInterruptionEndsTheActorsAndLeavesNothingBehind) {
  const std::string temporary = Folder() + "/temporary";
  std::filesystem::create_directories(temporary);
  ASSERT_EQ(::setenv("TMPDIR", temporary.c_str(), /*overwrite=*/1), 0);
  config_.mutable_train()->set_epochs(1000000);
  Cluster::Info info;
  info.cpus = info.free_cpus = 4;
  InProcessCluster cluster(info);
  ClusterTrialRunner runner(cluster, ClusterTrialRunner::ShareOf(config_, info, 3), Configs("x"),
                            [](const std::string&) {});
  int finished = 0, asked = 0;
  runner.Evaluate(
      trials_, [&](const Trial&, const TrialResult&) { ++finished; }, [&] { return ++asked > 2; });
  EXPECT_EQ(finished, 0);
  EXPECT_TRUE(cluster.alive().empty());
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(TrialRunners, TheScoreIsThatOfTheFinalPolicyOnEpisodesOfTheEvaluationSeed) {
  const Results results = Locally("local");
  Config config = config_;
  config.mutable_evaluation()->set_episodes(4);
  ASSERT_EQ(results.size(), trials_.size());
  for (const auto& [number, result] : results) {
    const Checkpoint checkpoint = CheckpointStore::LoadFile(result.checkpoint);
    EXPECT_EQ(checkpoint.epoch, 3);
    const EvaluationReport report = Evaluator(config).Evaluate(checkpoint.weights);
    EXPECT_DOUBLE_EQ(result.mean_return, report.mean_return());
    EXPECT_DOUBLE_EQ(std::sqrt(result.return_variance), RewardOf(report).std);
  }
}

TEST_F(TrialRunners, AnInterruptionOfTheScoringGivesTheTrialUp) {
  config_.mutable_search()->set_episodes(1000000);
  LocalTrialRunner local(Configs("x"));
  int finished = 0;
  const std::string weights = Cat(Folder(), "/x/", TrialFolderName(1), "/weights.pt");
  local.Evaluate(
      std::span(trials_).first(1), [&](const Trial&, const TrialResult&) { ++finished; },
      // The last thing that a training writes.
      [&] { return std::filesystem::exists(weights); });
  EXPECT_EQ(finished, 0);
}

TEST_F(TrialRunners, ActorsShareTheCluster) {
  Cluster::Info info;
  info.cpus = info.free_cpus = 8;
  Config config;
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 3).threads, 2);
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 3).cpus, 2);
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 16).threads, 1);
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 16).cpus, 0.5);
  config.mutable_scale()->set_threads(1);
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 2).cpus, 1);
  EXPECT_EQ(ClusterTrialRunner::ShareOf(config, info, 2).gpus, 0);
}

TEST(ScoreOf, TakesTheTasksOwnReturnAndCompliance) {
  EnvSpec spec;
  spec.episode_stats = {"other", "compliance", "env_return"};
  const std::vector<Episode> episodes = {{0, 10, 99, {7, 1, -10}}, {1, 10, 99, {7, 0.5, -14}}};
  Workflow workflow;
  workflow.return_stat = "env_return";
  workflow.compliance_stat = "compliance";
  const TrialResult result = ScoreOf(episodes, spec, workflow);
  EXPECT_EQ(result.mean_return, -12);
  EXPECT_EQ(result.return_variance, 8);
  EXPECT_EQ(result.compliance, 0.75);
  EXPECT_EQ(result.episodes, 2);
}

TEST(ScoreOf, WithoutStatisticsOfItsOwnIsTheRewardAndFullCompliance) {
  EnvSpec spec;
  spec.episode_stats = {"compliance"};
  const TrialResult result = ScoreOf({{0, 10, 3, {0}}, {1, 10, 5, {0}}}, spec, Workflow());
  EXPECT_EQ(result.mean_return, 4);
  EXPECT_EQ(result.compliance, 1);
}

TEST(ScoreOf, NoEpisodesAreNoScore) {
  const TrialResult result = ScoreOf({}, EnvSpec(), Workflow());
  EXPECT_TRUE(std::isnan(result.mean_return));
  EXPECT_EQ(result.episodes, 0);
}

}  // namespace
}  // namespace dray
