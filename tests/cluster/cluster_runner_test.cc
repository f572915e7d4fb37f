#include "src/cluster/cluster_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "src/loop/local_runner.h"
#include "src/metrics/table.h"
#include "tests/cluster/in_process_cluster.h"
#include "tests/envs/cage2/made_up_run.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Fate = InProcessCluster::Fate;

Config ShortRun() {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_train()->set_epochs(6);
  config.mutable_train()->set_rollout_steps(16);
  config.mutable_scale()->set_num_envs(6);
  config.mutable_scale()->set_envs_per_shard(2);
  config.mutable_scale()->set_threads(1);
  config.mutable_ppo()->set_minibatch_size(32);
  config.mutable_network()->add_hidden(8);
  config.mutable_evaluation()->set_interval(3);
  config.mutable_evaluation()->set_episodes(2);
  config.mutable_run()->set_save_interval(2);
  config.mutable_run()->set_device(CPU);
  config.mutable_ray()->set_heartbeat_interval_s(0.05);
  config.mutable_ray()->set_learner_copy_share(1);
  return config;
}

// What a run left.
struct Outcome {
  LoopCounters counters;
  std::string output;
  std::string folder;
  std::string reports;  // lines of metrics.jsonl, without what depends on the machine
};

std::string Reports(const std::string& file) {
  std::istringstream lines(ReadFile(file));
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) {
      if (field.ends_with('}')) field.pop_back();  // the last one, which may depend on the machine
      const size_t start = field.find('"') + 1;
      const std::string name = field.substr(start, field.find('"', start) - start);
      // Progress is a share of the limit, which a resumed run may have raised.
      if (!DependsOnMachine(name) && name != "progress") kept += field + ",";
    }
    kept += "\n";
  }
  return kept;
}

// In the config's folder, going on from what is there, or in a new one.
Outcome Train(Config config, const std::function<void(Training&)>& carry_out,
              const Sharding& sharding = {}) {
  static int runs = 0;
  Training::Options options;
  options.sharding = sharding;
  options.resume = config.run().has_dir();
  if (!options.resume) {
    const char* test = testing::UnitTest::GetInstance()->current_test_info()->name();
    const auto folder = std::filesystem::path(testing::TempDir()) / Cat(test, "-", runs++);
    std::filesystem::remove_all(folder);
    config.mutable_run()->set_dir(folder.string());
  }
  std::ostringstream out;
  options.config = config;
  options.out = &out;
  options.where_set = [](const std::string&) { return "the test"; };
  Training training(options);
  carry_out(training);
  return {training.coordinator().counters(), out.str(), config.run().dir(),
          Reports(config.run().dir() + "/metrics.jsonl")};
}

Outcome Locally(const Config& config) {
  return Train(config, [](Training& training) {
    LocalRunner(training, at::kCPU).Run([] { return false; });
  });
}

Outcome On(InProcessCluster& cluster, const Config& config, int shards_per_actor = 1) {
  return Train(
      config,
      [&](Training& training) { ClusterRunner(training, cluster).Run([] { return false; }); },
      {.shards_per_actor = shards_per_actor});
}

Cluster::Info Roomy() {
  Cluster::Info info;
  info.address = "here";
  info.cpus = info.free_cpus = 8;
  return info;
}

// Strikes once, at the nth call of the method by an actor whose name starts so.
InProcessCluster::Strike Once(const std::string& actor, const std::string& method, int nth,
                              Fate fate) {
  return [=, struck = std::make_shared<bool>(false)](const std::string& name,
                                                     const std::string& called, int call) {
    if (*struck || !name.starts_with(actor) || called != method || call != nth)
      return Fate::kNothing;
    *struck = true;
    return fate;
  };
}

TEST(ClusterRunner, GivesTheSameReportsAsOneProcess) {
  InProcessCluster cluster(Roomy());
  const Outcome local = Locally(ShortRun());
  const Outcome spread = On(cluster, ShortRun());
  EXPECT_EQ(spread.reports, local.reports);
  EXPECT_EQ(spread.counters.updates, 6);
}

// Both sides of cage2, each against a policy of the other; its folder is gone before actors start.
TEST(ClusterRunner, OpponentsTravelWithTheSettings) {
  for (const std::string& env : {std::string("cage2"), std::string("cage2_red")}) {
    const auto run = [&](const std::function<void(Training&)>& carry_out) {
      const std::string opponent =
          MadeUpRun("opponent", SmallRun(env == "cage2" ? "cage2_red" : "cage2"), 1);
      Config config = ShortRun();
      config.mutable_env()->set_name(env);
      Cage2Config* blue = config.mutable_env()->MutableExtension(Cage2Config::cage2);
      blue->set_max_steps(20);
      blue->set_red("0.3 bline, 0.7 learned");
      blue->set_red_policy(opponent);
      Cage2RedConfig* red = config.mutable_env()->MutableExtension(Cage2RedConfig::cage2_red);
      red->set_max_steps(20);
      red->set_blue(opponent);
      return Train(config, [&](Training& training) {
        std::filesystem::remove_all(opponent);
        carry_out(training);
      });
    };
    const Outcome local =
        run([](Training& training) { LocalRunner(training, at::kCPU).Run([] { return false; }); });
    InProcessCluster cluster(Roomy());
    const Outcome spread = run(
        [&](Training& training) { ClusterRunner(training, cluster).Run([] { return false; }); });
    EXPECT_EQ(spread.reports, local.reports);
    EXPECT_EQ(spread.counters.updates, 6);
  }
}

TEST(ClusterRunner, GoesOnFromTheCheckpointOfEitherRunner) {
  Config first_half = ShortRun();
  first_half.mutable_train()->set_epochs(4);
  first_half.mutable_evaluation()->set_interval(2);
  Config whole = first_half;
  whole.mutable_train()->set_epochs(8);
  // The learning rate's schedule must not depend on the limit.
  first_half.mutable_ppo()->set_learning_rate_schedule(CONSTANT);
  whole.mutable_ppo()->set_learning_rate_schedule(CONSTANT);
  const Outcome never_stopped = Locally(whole);
  const Outcome stopped = Locally(first_half);
  whole.mutable_run()->set_dir(stopped.folder);
  InProcessCluster cluster(Roomy());
  const Outcome resumed = On(cluster, whole);
  EXPECT_EQ(resumed.reports, never_stopped.reports);
}

TEST(ClusterRunner, SeveralShardsInAnActorGiveTheSameReports) {
  const Outcome local = Locally(ShortRun());
  for (const int shards_per_actor : {2, 3, 5}) {
    InProcessCluster cluster(Roomy());
    const Outcome grouped = On(cluster, ShortRun(), shards_per_actor);
    EXPECT_EQ(grouped.reports, local.reports);
    EXPECT_EQ(testing::Matches(Contains("shard-01"))(cluster.started()), shards_per_actor == 2);
    EXPECT_THAT(cluster.started(), Not(Contains("shard-02")));
    EXPECT_EQ(cluster.objects(), 0);
  }
}

TEST(ClusterRunner, CheckpointsDoNotDependOnHowManyShardsShareAnActor) {
  Config half = ShortRun();
  half.mutable_ppo()->set_learning_rate_schedule(CONSTANT);
  half.mutable_evaluation()->set_interval(2);
  half.mutable_train()->set_epochs(4);
  Config whole = half;
  whole.mutable_train()->set_epochs(8);
  const Outcome never_stopped = Locally(whole);
  const std::pair<int, int> before_and_after[] = {{1, 2}, {2, 1}, {3, 2}};
  for (const auto& [before, after] : before_and_after) {
    InProcessCluster cluster(Roomy());
    const Outcome stopped = On(cluster, half, before);
    whole.mutable_run()->set_dir(stopped.folder);
    const Outcome resumed = On(cluster, whole, after);
    EXPECT_EQ(resumed.reports, never_stopped.reports);
  }
}

TEST(ClusterRunner, AnActorWithSeveralShardsIsReplacedAsAWhole) {
  for (const Fate fate : {Fate::kDiesBefore, Fate::kDiesAfter}) {
    InProcessCluster cluster(Roomy());
    cluster.set_strike(Once("shard-00", "collect", 2, fate));
    const Outcome run = On(cluster, ShortRun(), 2);
    EXPECT_EQ(run.counters.updates, 6);
    EXPECT_EQ(run.counters.actors_restarted, 1);
    EXPECT_EQ(run.counters.batches_lost, 2);
    EXPECT_THAT(cluster.started(), Contains("shard-00.2"));
  }
}

TEST(ClusterRunner, StartsOneActorPerRoleAndEndsThemAll) {
  InProcessCluster cluster(Roomy());
  On(cluster, ShortRun());
  EXPECT_THAT(cluster.started(), testing::UnorderedElementsAre("shard-00", "shard-01", "shard-02",
                                                               "learner", "evaluator"));
  EXPECT_THAT(cluster.alive(), testing::IsEmpty());
}

TEST(ClusterRunner, LeavesNoObjectBehind) {
  InProcessCluster cluster(Roomy());
  On(cluster, ShortRun());
  EXPECT_EQ(cluster.objects(), 0);
}

TEST(ClusterRunner, ReplacesAShardThatDiesInItsRolloutAndCountsTheBatch) {
  for (const Fate fate : {Fate::kDiesBefore, Fate::kDiesAfter}) {
    InProcessCluster cluster(Roomy());
    cluster.set_strike(Once("shard-01", "collect", 2, fate));
    const Outcome run = On(cluster, ShortRun());
    EXPECT_EQ(run.counters.updates, 6);
    EXPECT_EQ(run.counters.actors_restarted, 1);
    EXPECT_EQ(run.counters.batches_lost, 1);
    EXPECT_THAT(cluster.started(), Contains("shard-01.2"));
    EXPECT_THAT(run.output, HasSubstr("shard-01 was lost"));
  }
}

// Every batch that a shard was asked for ended somewhere.
void ExpectBalanced(const LoopCounters& counters) {
  EXPECT_EQ(counters.batches_collected, counters.batches_trained + counters.batches_dropped +
                                            counters.batches_lost + counters.batches_undone);
}

// The death is told while the next rollout, or the update, has been decided but not begun.
TEST(ClusterRunner, ALossThatAHeartbeatTellsCountsOnce) {
  int losses = 0;
  for (const char* name : {"shard-01", "learner"}) {
    for (int nth = 1; nth <= 30; ++nth) {
      InProcessCluster cluster(Roomy());
      cluster.set_strike(Once(name, "heartbeat", nth, Fate::kDiesBefore));
      Config config = ShortRun();
      config.mutable_ray()->set_heartbeat_interval_s(0.001);
      Outcome run;
      try {
        run = On(cluster, config);
      } catch (const Error&) {
        continue;  // it died before the run began
      }
      EXPECT_EQ(run.counters.updates, 6);
      ExpectBalanced(run.counters);
      // A learner that was early with the lost rollout is another loss, of another actor.
      const std::string lost = Cat(name, " was lost");
      const size_t told = run.output.find(lost);
      if (told == std::string::npos) continue;
      ++losses;
      EXPECT_EQ(run.output.find(lost, told + 1), std::string::npos) << run.output;
    }
  }
  EXPECT_GT(losses, 0);
}

TEST(ClusterRunner, ALearnerThatDiesInItsUpdateGoesOnFromTheNewestCheckpoint) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("learner", "update", 4, Fate::kDiesBefore));
  const Outcome run = On(cluster, ShortRun());
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_EQ(run.counters.policy_version, 7);  // the restored one was published anew
  // Dropped as too old if the loss was noticed before the update was due.
  EXPECT_EQ(run.counters.batches_lost + run.counters.batches_dropped, 3);
  // Nothing came after the checkpoint of epoch 4.
  EXPECT_THAT(run.output, HasSubstr("continues from the newest state kept (updates undone: 0)"));
  EXPECT_EQ(run.counters.updates_undone, 0);
  ExpectBalanced(run.counters);
}

// The learner begins before the driver knows that a rollout has ended. If it never learns of it,
// the batch counts as lost, and what the learner made of it is taken back.
TEST(ClusterRunner, ALearnerThatWasEarlyWithALostRolloutIsTakenBack) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("shard-00", "summary", 3, Fate::kAnswerIsLost));
  const Outcome run = On(cluster, ShortRun(), /*shards_per_actor=*/3);
  EXPECT_THAT(run.output, HasSubstr("it has learned from a rollout that counts as lost"));
  EXPECT_EQ(run.counters.epochs, 6);
  EXPECT_EQ(run.counters.actors_restarted, 2);
  ExpectBalanced(run.counters);
}

// Shards are called before the update ends whose weights they need. They are called again if it
// never ends, even those that have begun already: the learner may die after it has published.
TEST(ClusterRunner, ShardsThatWereEarlyForALostUpdateCollectAgain) {
  Config config = ShortRun();
  config.mutable_run()->set_save_interval(0);
  config.mutable_evaluation()->set_interval(0);
  for (const Fate fate : {Fate::kDiesBefore, Fate::kDiesAfter}) {
    InProcessCluster cluster(Roomy());
    const auto strike = Once("learner", "summary", 2, fate);
    int rollouts = 0;
    int before_the_new_learner = 0;
    cluster.set_strike([&](const std::string& name, const std::string& method, int nth) {
      rollouts += name == "shard-00" && method == "collect";
      if (name == "learner.2" && method == "load") before_the_new_learner = rollouts;
      return strike(name, method, nth);
    });
    const Outcome run = On(cluster, config);
    EXPECT_EQ(before_the_new_learner, 4);
    EXPECT_EQ(run.counters.updates, 6);
    EXPECT_EQ(run.counters.actors_restarted, 1);
    ExpectBalanced(run.counters);
  }
}

TEST(ClusterRunner, ALearnerThatDiesBeforeAnyCheckpointBeginsAnew) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("learner", "update", 0, Fate::kDiesBefore));
  const Outcome run = On(cluster, ShortRun());
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_THAT(run.output, HasSubstr("it starts again (updates undone: 0)"));
  ExpectBalanced(run.counters);
}

// Without any checkpoint, and 9 updates done when it is lost: far fewer are undone.
TEST(ClusterRunner, ALostLearnerLosesTheUpdatesSinceItsStateWasKeptAndTheyAreCounted) {
  Config config = ShortRun();
  config.mutable_train()->set_epochs(12);
  config.mutable_run()->set_save_interval(0);
  config.mutable_run()->set_recovery_interval_s(0);
  config.mutable_evaluation()->set_interval(0);
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("learner", "update", 9, Fate::kDiesBefore));
  const Outcome run = On(cluster, config);
  EXPECT_EQ(run.counters.updates, 12);
  EXPECT_LT(run.counters.updates_undone, 9);
  EXPECT_EQ(run.counters.batches_undone, 3 * run.counters.updates_undone);
  EXPECT_EQ(run.counters.batches_trained, 3 * run.counters.standing_updates());
  ExpectBalanced(run.counters);
}

// States that never arrive: all updates since the last checkpoint are undone, and counted.
TEST(ClusterRunner, UpdatesThatAreUndoneAreInTheReport) {
  Config config = ShortRun();
  config.mutable_run()->set_save_interval(3);
  InProcessCluster cluster(Roomy());
  cluster.set_strike(
      [struck = false](const std::string& name, const std::string& method, int nth) mutable {
        if (name != "learner") return Fate::kNothing;
        if (method == "snapshot") return Fate::kHangs;
        if (struck || method != "update" || nth != 5) return Fate::kNothing;
        struck = true;
        return Fate::kDiesBefore;
      });
  const Outcome run = On(cluster, config);
  EXPECT_EQ(run.counters.updates_undone, 2);
  EXPECT_EQ(run.counters.batches_undone, 6);
  EXPECT_EQ(run.counters.batches_trained, 12);
  ExpectBalanced(run.counters);
  EXPECT_THAT(run.reports, HasSubstr("\"updates/undone\":2"));
}

TEST(ClusterRunner, AnEvaluationIsRepeatedWhenItsActorDies) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("evaluator", "evaluate", 0, Fate::kDiesBefore));
  const Outcome run = On(cluster, ShortRun());
  EXPECT_EQ(run.counters.actors_restarted, 1);
  EXPECT_THAT(run.reports, HasSubstr("eval/return_mean"));
}

TEST(ClusterRunner, ReplacesAnActorThatHangsAndSaysInWhichPhase) {
  Config config = ShortRun();
  config.mutable_ray()->set_hang_timeout_s(2);
  InProcessCluster cluster(Roomy());
  cluster.set_strike(
      [struck = 0](const std::string& name, const std::string& method, int nth) mutable {
        // The rollout never begins, and so its summary never comes.
        if (name != "shard-02" || nth != 3 || (method != "collect" && method != "summary"))
          return Fate::kNothing;
        ++struck;
        return Fate::kHangs;
      });
  const Outcome run = On(cluster, config);
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_GE(run.counters.actors_restarted, 1);  // on a busy machine others may seem to hang, too
  EXPECT_THAT(run.output, HasSubstr("it has not moved for 2 s, in phase 'resting'"));
  // Half that time before, who waits for what was told.
  EXPECT_THAT(run.output,
              testing::ContainsRegex("No progress for [0-9.]+m?s: the learner waits for shard-02 "
                                     "\\(collect, [0-9.]+m?s, in phase 'resting', last heard of"));
}

TEST(ClusterRunner, BatchesThatNeverReachTheLearnerAreLostAndOthersTakeTheirPlace) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike([](const std::string&, const std::string& method, int nth) {
    if (nth != 1) return Fate::kNothing;
    return method == "update" ? Fate::kResultIsLost : Fate::kNothing;
  });
  const Outcome run = On(cluster, ShortRun());
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_EQ(run.counters.batches_lost, 3);
  EXPECT_EQ(run.counters.actors_restarted, 0);
  EXPECT_THAT(run.output, HasSubstr("An update was lost"));
}

// First with the first weights, then with those that a learner published when it was restored.
TEST(ClusterRunner, ShardsWhoseWeightsWereLostCollectAgain) {
  for (const int restarts : {0, 1}) {
    InProcessCluster cluster(Roomy());
    int updates = 0;
    int published = 0;
    cluster.set_strike([&](const std::string&, const std::string& method, int) {
      if (method == "update" && updates++ == 3 && restarts == 1) return Fate::kDiesBefore;
      const bool lost = method == "publish" && published++ == restarts;
      return lost ? Fate::kResultIsLost : Fate::kNothing;
    });
    const Outcome run = On(cluster, ShortRun());
    EXPECT_EQ(run.counters.updates, 6);
    EXPECT_GE(run.counters.batches_lost, 3);
    EXPECT_EQ(run.counters.actors_restarted, restarts);
    EXPECT_THAT(run.output, HasSubstr("shard-00 could not begin its rollout"));
    EXPECT_THAT(run.output, Not(HasSubstr("shard-00 was lost")));
    ExpectBalanced(run.counters);
  }
}

TEST(ClusterRunner, ADeathWhileACheckpointIsTakenPutsItOff) {
  InProcessCluster cluster(Roomy());
  cluster.set_strike(Once("shard-00", "save", 0, Fate::kDiesBefore));
  const Outcome run = On(cluster, ShortRun());
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_TRUE(std::filesystem::exists(run.folder + "/checkpoints/epoch_00000002.ckpt"));
}

TEST(ClusterRunner, AnActorThatDiesAgainAndAgainEndsTheRun) {
  Config config = ShortRun();
  config.mutable_ray()->set_max_restarts(3);
  InProcessCluster cluster(Roomy());
  cluster.set_strike([](const std::string& name, const std::string& method, int) {
    return name.starts_with("shard-01") && method == "collect" ? Fate::kDiesBefore : Fate::kNothing;
  });
  try {
    On(cluster, config);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("shard-01 was lost 4 times"), HasSubstr("ray.max_restarts")));
  }
  EXPECT_THAT(cluster.alive(), testing::IsEmpty());
}

TEST(ClusterRunner, AsynchronousShardsRunAheadWithinTheirLag) {
  Config config = ShortRun();
  config.mutable_ppo()->set_max_policy_lag(2);
  InProcessCluster cluster(Roomy());
  const Outcome run = On(cluster, config);
  EXPECT_EQ(run.counters.updates, 6);
  EXPECT_EQ(run.counters.total_steps, 6 * 16 * 6);
}

TEST(ClusterRunner, ReportsReachTheClustersMetrics) {
  InProcessCluster cluster(Roomy());
  On(cluster, ShortRun());
  EXPECT_EQ(cluster.published().size(), 6);
  EXPECT_EQ(cluster.published().back().first, 6);
  Config without = ShortRun();
  without.mutable_ray()->set_metrics(false);
  InProcessCluster quiet(Roomy());
  On(quiet, without);
  EXPECT_THAT(quiet.published(), testing::IsEmpty());
}

TEST(ClusterRunner, ReservesABundleForEachShardAndTheLearner) {
  Config config = ShortRun();
  config.mutable_ray()->set_placement(RayConfig::SPREAD);
  InProcessCluster cluster(Roomy());
  On(cluster, config);
  EXPECT_EQ(cluster.reserved(), "SPREAD 4");
}

TEST(ClusterRunner, SaysWhereTheTimeOfEachActorWent) {
  InProcessCluster cluster(Roomy());
  const Outcome run = On(cluster, ShortRun());
  EXPECT_THAT(run.output, AllOf(HasSubstr("busy"), HasSubstr("shard-02"), HasSubstr("learner")));
}

}  // namespace
}  // namespace dray
