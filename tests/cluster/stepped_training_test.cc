#include "src/cluster/stepped_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "src/api/make_role.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/commands/train_command.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/episode_window.h"
#include "src/loop/local_runner.h"
#include "src/loop/training.h"

namespace dray {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kRoomy[] = R"({"cpus": 8, "free_cpus": 8, "address": "here"})";

std::string Ask(Role& role, std::string_view method, std::vector<std::string_view> arguments = {}) {
  Blob reply;
  role.Call(method, arguments, reply);
  return std::string(reply.view());
}

Config ShortConfig(std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"--config",      "configs/cartpole.yaml",
                                        "--epochs",      "3",
                                        "--num-workers", "2",
                                        "--set",         "train.rollout_steps=8",
                                        "--set",         "network.hidden=[8]"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return SteppedTrainingConfig(arguments);
}

std::unique_ptr<Role> Short(std::vector<std::string> more = {}) {
  return MakeSteppedTraining(ShortConfig(std::move(more)));
}

// Roles in this process, and what goes from one to the other.
struct Driven {
  explicit Driven(std::vector<std::string> more = {}) : training(Short(std::move(more))) {
    Ask(*training, "place", {kRoomy});
    for (const char* shard : {"shard-0", "shard-1"}) {
      shards.push_back(MakeRole("env_shard", Ask(*training, "settings", {shard})));
    }
    learner = MakeRole("learner", Ask(*training, "settings", {"learner"}));
    weights = Ask(*learner, "publish");
  }

  void Collect(size_t shard) {
    const std::string header = Ask(*training, "header");
    batches.push_back(Ask(*shards[shard], "collect", {header, weights, ""}));
    Ask(*training, "rolled", {Ask(*shards[shard], "summary", {header})});
  }

  std::string Update(const std::vector<size_t>& tickets) {
    const std::string header = Ask(*training, "header");
    std::vector<std::string_view> arguments = {header};
    for (const size_t ticket : tickets) arguments.push_back(batches[ticket]);
    weights = Ask(*learner, "update", arguments);
    return Ask(*training, "updated", {Ask(*learner, "summary", {header})});
  }

  std::string Next() { return Ask(*training, "next"); }

  // A rollout of each shard and an update from them.
  std::string Step() {
    Next();
    const size_t ticket = batches.size();
    Collect(0);
    Collect(1);
    return Update({ticket, ticket + 1});
  }

  void Save(const std::string& path) {
    Ask(*training, "save",
        {path, Ask(*learner, "save"), weights, Ask(*shards[0], "save"), Ask(*shards[1], "save")});
  }

  void Load(const std::string& path) {
    Ask(*training, "load", {path});
    Ask(*learner, "load", {Ask(*training, "saved", {"learner"}), std::string(8, '\0')});
    Ask(*shards[0], "load", {Ask(*training, "saved", {"shard-0"})});
    Ask(*shards[1], "load", {Ask(*training, "saved", {"shard-1"})});
    weights = Ask(*learner, "publish");
  }

  std::unique_ptr<Role> training, learner;
  std::vector<std::unique_ptr<Role>> shards;
  std::vector<std::string> batches;
  std::string weights;
};

std::string InTemp(const char* name) { return std::filesystem::path(testing::TempDir()) / name; }

// Without the times, which stand at its end.
std::string Numbers(const std::string& report) { return report.substr(0, report.find(",\"time/")); }

TEST(SteppedTraining, SaysWhatComesNextUntilTheRunsLimit) {
  Driven run;
  for (size_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(run.Next(), "{\"collect\":[0,1]}");
    run.Collect(0);
    run.Collect(1);
    EXPECT_EQ(run.Next(), Cat("{\"update\":[", 2 * epoch, ",", 2 * epoch + 1, "]}"));
    EXPECT_THAT(run.Update({2 * epoch, 2 * epoch + 1}),
                StartsWith(Cat("{\"epoch\":", epoch + 1, ",\"update\":", epoch + 1)));
  }
  EXPECT_EQ(run.Next(), "{\"finished\":3}");
}

TEST(SteppedTraining, EndsAtItsGoalAsTrainDoes) {
  Driven run({"--config", "configs/cage2_workflow.yaml", "--set",
              "train.early_stop.stat=compliance", "--set", "train.early_stop.at_least=0", "--set",
              "train.early_stop.min_episodes_per_env=1"});
  run.Step();
  EXPECT_EQ(run.Next(), "{\"finished\":1}");
}

TEST(SteppedTraining, AnUpdateOfSeveralRolloutsHasThemByShardAndAge) {
  Driven run({"--set", "ppo.update_interval=2"});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(run.Next(), "{\"collect\":[0,1]}");
    run.Collect(0);
    run.Collect(1);
  }
  EXPECT_EQ(run.Next(), "{\"update\":[0,2,1,3]}");
  EXPECT_THAT(run.Update({0, 2, 1, 3}), StartsWith("{\"epoch\":2,\"update\":1,"));
}

TEST(SteppedTraining, GoesOnFromItsCheckpoint) {
  const std::string path = InTemp("stepped.ckpt");
  Driven first;
  first.Step();
  first.Save(path);
  const std::string expected = Numbers(first.Step());
  EXPECT_THAT(expected, HasSubstr("\"train/kl_k1\":"));
  Driven second;
  second.Load(path);
  EXPECT_EQ(Numbers(second.Step()), expected);
  first.Load(path);  // tickets count on
  EXPECT_EQ(Numbers(first.Step()), expected);
}

// --- Checkpoints of `train` and of a stepped training are the same

// `train` in that folder, to the config's last epoch.
void TrainIn(const std::string& folder, bool resume) {
  std::ostringstream out;
  Training::Options options;
  options.config = ShortConfig({"--set", "run.save_interval=1"});
  options.config.mutable_run()->set_dir(folder);
  options.resume = resume;
  options.out = &out;
  options.where_set = [](const std::string& path) { return path; };
  Training training(options);
  LocalRunner(training, at::kCPU).Run([] { return false; });
}

std::string EpochFile(const std::string& folder, int epoch) {
  return Cat(folder, "/checkpoints/epoch_0000000", epoch, ".ckpt");
}

// As Python's checkpoints were once: without what became of each environment.
Checkpoint WithoutAccounts(Checkpoint checkpoint) {
  EpisodeWindow window(SpecOf(ShortConfig().env()).episode_stats);
  ByteReader in(checkpoint.episodes, "episodes");
  window.Load(in);
  EXPECT_FALSE(in.AtEnd());
  ByteWriter out;
  window.Save(out);
  checkpoint.episodes = out.Take();
  return checkpoint;
}

struct SteppedCheckpoint : testing::Test {
  SteppedCheckpoint() {
    std::filesystem::remove_all(folder);
    TrainIn(folder, /*resume=*/false);
    run.Step();
    run.Step();
    run.Save(path);
  }

  // What `train` comes to when it goes on from this checkpoint of epoch 2.
  Checkpoint Resumed(const Checkpoint& from) {
    std::filesystem::remove(EpochFile(folder, 3));
    WriteFileAtomically(EpochFile(folder, 2), from.ToBytes());
    TrainIn(folder, /*resume=*/true);
    return CheckpointStore::LoadFile(EpochFile(folder, 3));
  }

  const std::string folder = InTemp("stepped_run"), path = InTemp("stepped_too.ckpt");
  Driven run;
};

TEST_F(SteppedCheckpoint, HasWhatThatOfTheCommandTrainHas) {
  const Checkpoint its = CheckpointStore::LoadFile(EpochFile(folder, 2));
  const Checkpoint mine = CheckpointStore::LoadFile(path);
  EXPECT_EQ(mine.epoch, its.epoch);
  EXPECT_EQ(mine.loop, its.loop);
  EXPECT_EQ(mine.episodes, its.episodes);
  EXPECT_EQ(mine.learner, its.learner);
  EXPECT_EQ(mine.weights, its.weights);
  EXPECT_EQ(mine.shards, its.shards);
}

TEST_F(SteppedCheckpoint, IsGoneOnFromByTheCommandTrain) {
  const Checkpoint never_stopped = CheckpointStore::LoadFile(EpochFile(folder, 3));
  const Checkpoint resumed = Resumed(CheckpointStore::LoadFile(path));
  EXPECT_EQ(resumed.learner, never_stopped.learner);
  EXPECT_EQ(resumed.episodes, never_stopped.episodes);
}

TEST_F(SteppedCheckpoint, OfTheCommandTrainIsGoneOnFromHere) {
  Driven other;
  other.Load(EpochFile(folder, 2));
  EXPECT_EQ(Numbers(other.Step()), Numbers(run.Step()));
}

TEST_F(SteppedCheckpoint, FromBeforeThereWereAccountsIsGoneOnFromByBoth) {
  const Checkpoint never_stopped = CheckpointStore::LoadFile(EpochFile(folder, 3));
  const Checkpoint old = WithoutAccounts(CheckpointStore::LoadFile(path));
  WriteFileAtomically(path, old.ToBytes());
  Driven other;
  other.Load(path);
  EXPECT_EQ(Numbers(other.Step()), Numbers(run.Step()));
  EXPECT_EQ(Resumed(old).learner, never_stopped.learner);
}

TEST(SteppedTraining, TellsWhatActorsGetOfTheCluster) {
  const std::string placed = Ask(*Short(), "place", {R"({"cpus": 4, "free_cpus": 1})"});
  EXPECT_THAT(placed, HasSubstr("\"shards\":[2,2]"));
  EXPECT_THAT(placed, HasSubstr("\"shard_cpus\":0.5"));
  EXPECT_THROW(Ask(*Short(), "place", {"some words"}), Error);
}

TEST(SteppedTraining, ChoosesTheNumberOfEnvironmentsByTheCluster) {
  const auto placed = [](const char* cluster) {
    return Ask(*Short({"--num-envs", "auto", "--num-workers", "0"}), "place", {cluster});
  };
  EXPECT_THAT(placed(kRoomy), HasSubstr("\"shards\":[16,16,16,16,16,16,16,16]"));
  EXPECT_THAT(placed(R"({"cpus": 2, "free_cpus": 2})"), HasSubstr("\"shards\":[16,16]"));
}

TEST(SteppedTraining, RefusesWhatItCannotDo) {
  EXPECT_THROW(Short({"--set", "ppo.max_policy_lag=1"}), Error);
  EXPECT_THROW(Short({"--dry-run"}), Error);
  EXPECT_THROW(Ask(*Short(), "next"), Error);  // not placed
  Driven run;
  EXPECT_THROW(Ask(*run.training, "settings", {"shard-2"}), Error);
  EXPECT_THROW(Ask(*run.training, "updated", {""}), Error);
  EXPECT_THROW(Ask(*run.training, "saved", {"learner"}), Error);
}

}  // namespace
}  // namespace dray
