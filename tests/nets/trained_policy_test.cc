#include "src/nets/trained_policy.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/loop/checkpoint.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

EnvSpec Spec() {
  return {.name = "game",
          .observation_size = 3,
          .actions = ActionSpace::Discrete(2),
          .max_episode_steps = 10};
}

PolicyWeights Weights(float value = 0.5f) {
  PolicyWeights weights;
  weights.actor.assign(3 * 4 + 4 + 4 * 2 + 2, value);
  return weights;
}

Checkpoint SomeCheckpoint() {
  Checkpoint checkpoint;
  checkpoint.epoch = 7;
  checkpoint.config_yaml = "env: {name: cartpole}\nnetwork: {hidden: [4]}\ntrain: {seed: 5}\n";
  checkpoint.weights = Weights().ToBytes();
  return checkpoint;
}

std::string Folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/checkpoints");
  return folder;
}

std::string ErrorOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string ReadError(const std::string& path, const std::string& env = "cartpole") {
  return ErrorOf([&] { TrainedPolicy::Read(path, env, "env.x.policy"); });
}

TEST(TrainedPolicy, IsReadFromARunFolderOrACheckpoint) {
  const std::string folder = Folder("trained_policy");
  CheckpointStore(folder + "/checkpoints", {}).SaveNumbered(SomeCheckpoint());
  for (const std::string& path : {folder, folder + "/checkpoints/epoch_00000007.ckpt"}) {
    const TrainedPolicy policy = TrainedPolicy::Read(path, "cartpole", "env.x.policy");
    EXPECT_EQ(policy.weights, Weights().ToBytes());
    EXPECT_EQ(policy.config.network().hidden(0), 4);
    EXPECT_FALSE(policy.config.has_train()) << "not what it takes to go on";
    Policy made = policy.Make(Spec(), "env.x.policy");
    const std::vector<float> observation = {1, 0, 0};
    EXPECT_EQ(made.Outputs(observation).size(), 2);
  }
}

TEST(TrainedPolicy, TravelsAsOneLineOfText) {
  TrainedPolicy policy;
  policy.config.mutable_env()->set_name("cartpole");
  policy.config.mutable_network()->add_hidden(4);
  policy.weights = Weights().ToBytes();
  const std::string text = policy.ToText();
  EXPECT_EQ(text.find_first_of(" \n\""), std::string::npos);
  const TrainedPolicy read = TrainedPolicy::FromText(text, "cartpole", "env.x.policy");
  EXPECT_EQ(read.weights, policy.weights);
  EXPECT_EQ(read.config.SerializeAsString(), policy.config.SerializeAsString());
  for (const std::string& damaged :
       {text.substr(0, text.size() / 2), text.substr(0, 40) + "A" + text.substr(41), text + "A",
        std::string("not a policy"), std::string()}) {
    if (damaged == text) continue;
    EXPECT_THAT(ErrorOf([&] { TrainedPolicy::FromText(damaged, "cartpole", "env.x.policy"); }),
                StartsWith("env.x.policy: "));
  }
}

TEST(TrainedPolicy, WhatCannotBeReadIsNamed) {
  EXPECT_THAT(ReadError("/no/such/run"),
              AllOf(StartsWith("env.x.policy: /no/such/run: no such folder"),
                    HasSubstr("on this machine"), HasSubstr("name the folder of a run")));
  const std::string empty = Folder("untrained");
  EXPECT_THAT(ReadError(empty), HasSubstr("no checkpoint in " + empty + "/checkpoints"));
  const std::string no_checkpoint = empty + "/notes.txt";
  WriteFileAtomically(no_checkpoint, "hello");
  EXPECT_THAT(ReadError(no_checkpoint), HasSubstr("notes.txt is not a Dray checkpoint"));
  const std::string cut = empty + "/cut.ckpt";
  WriteFileAtomically(cut, SomeCheckpoint().ToBytes().substr(0, 60));
  EXPECT_THAT(ReadError(cut), HasSubstr("cut.ckpt is truncated"));
}

TEST(TrainedPolicy, OneOfAnotherTaskIsRefused) {
  const std::string path = Folder("other_task") + "/one.ckpt";
  WriteFileAtomically(path, SomeCheckpoint().ToBytes());
  EXPECT_THAT(ReadError(path, "pendulum"),
              HasSubstr("one.ckpt is a policy for cartpole, but one for pendulum is needed"));
}

TEST(TrainedPolicy, ASmallFileCannotAskForAHugeNetwork) {
  TrainedPolicy policy;
  for (int i = 0; i < 10; ++i) policy.config.mutable_network()->add_hidden(65536);
  policy.weights = Weights().ToBytes();
  EXPECT_THAT(ErrorOf([&] { policy.Make(Spec(), "a setting"); }), HasSubstr("another network"));
}

TEST(TrainedPolicy, WeightsThatDoNotFitOrAreNotFiniteAreRefused) {
  TrainedPolicy policy;
  policy.config.mutable_network()->add_hidden(5);
  policy.weights = Weights().ToBytes();
  const auto error = [&] { return ErrorOf([&] { policy.Make(Spec(), "env.x.policy"); }); };
  EXPECT_THAT(error(), AllOf(StartsWith("env.x.policy: "), HasSubstr("another network")));
  policy.config.mutable_network()->set_hidden(0, 4);
  EXPECT_EQ(error(), "");
  policy.weights = Weights(std::numeric_limits<float>::quiet_NaN()).ToBytes();
  EXPECT_THAT(error(), HasSubstr("not all finite"));
  policy.weights = "too short";
  EXPECT_THAT(error(), StartsWith("env.x.policy: "));
}

}  // namespace
}  // namespace dray
