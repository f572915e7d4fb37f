#include "src/cluster/stepped_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/commands/train_command.h"

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

std::unique_ptr<Role> Short(std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"--config",      "configs/cartpole.yaml",
                                        "--epochs",      "3",
                                        "--num-workers", "2",
                                        "--set",         "train.rollout_steps=8",
                                        "--set",         "network.hidden=[8]"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return MakeSteppedTraining(SteppedTrainingConfig(arguments));
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
    const std::string orders = Ask(*training, "orders");
    batches.push_back(Ask(*shards[shard], "collect", {orders, weights, ""}));
    Ask(*training, "rolled", {Ask(*shards[shard], "summary", {orders})});
  }

  std::string Update(const std::vector<size_t>& tickets) {
    const std::string orders = Ask(*training, "orders");
    std::vector<std::string_view> arguments = {orders};
    for (const size_t ticket : tickets) arguments.push_back(batches[ticket]);
    weights = Ask(*learner, "update", arguments);
    return Ask(*training, "updated", {Ask(*learner, "summary", {orders})});
  }

  std::string Next() { return Ask(*training, "next"); }

  std::unique_ptr<Role> training, learner;
  std::vector<std::unique_ptr<Role>> shards;
  std::vector<std::string> batches;
  std::string weights;
};

// Without the times, which stand at its end.
std::string Numbers(const std::string& report) { return report.substr(0, report.find(",\"time/")); }

TEST(SteppedTraining, SaysWhatComesNextUntilTheRunsLimit) {
  Driven run;
  for (size_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(run.Next(), "{\"collect\": [0, 1]}");
    run.Collect(0);
    run.Collect(1);
    EXPECT_EQ(run.Next(), Cat("{\"update\": [", 2 * epoch, ", ", 2 * epoch + 1, "]}"));
    EXPECT_THAT(run.Update({2 * epoch, 2 * epoch + 1}),
                StartsWith(Cat("{\"epoch\":", epoch + 1, ",\"update\":", epoch + 1)));
  }
  EXPECT_EQ(run.Next(), "{\"finished\": 3}");
}

TEST(SteppedTraining, AnUpdateOfSeveralRolloutsHasThemByShardAndAge) {
  Driven run({"--set", "ppo.update_interval=2"});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(run.Next(), "{\"collect\": [0, 1]}");
    run.Collect(0);
    run.Collect(1);
  }
  EXPECT_EQ(run.Next(), "{\"update\": [0, 2, 1, 3]}");
  EXPECT_THAT(run.Update({0, 2, 1, 3}), StartsWith("{\"epoch\":2,\"update\":1,"));
}

TEST(SteppedTraining, GoesOnFromItsCheckpoint) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "stepped.ckpt";
  Driven first;
  const auto step = [](Driven& run, size_t ticket) {
    run.Next();
    run.Collect(0);
    run.Collect(1);
    return Numbers(run.Update({ticket, ticket + 1}));
  };
  step(first, 0);
  Ask(*first.training, "save",
      {path, Ask(*first.learner, "save"), first.weights, Ask(*first.shards[0], "save"),
       Ask(*first.shards[1], "save")});
  Driven second;
  Ask(*second.training, "load", {path});
  Ask(*second.learner, "load", {Ask(*second.training, "saved", {"learner"}), std::string(8, '\0')});
  Ask(*second.shards[0], "load", {Ask(*second.training, "saved", {"shard-0"})});
  Ask(*second.shards[1], "load", {Ask(*second.training, "saved", {"shard-1"})});
  second.weights = Ask(*second.learner, "publish");
  const std::string expected = step(first, 2);
  EXPECT_THAT(expected, HasSubstr("\"train/kl_k1\":"));
  EXPECT_EQ(step(second, 0), expected);
}

TEST(SteppedTraining, TellsWhatActorsGetOfTheCluster) {
  const std::string placed = Ask(*Short(), "place", {R"({"cpus": 4, "free_cpus": 1})"});
  EXPECT_THAT(placed, HasSubstr("\"shards\": [2, 2]"));
  EXPECT_THAT(placed, HasSubstr("\"shard_cpus\": 0.5"));
  EXPECT_THROW(Ask(*Short(), "place", {"some words"}), Error);
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
