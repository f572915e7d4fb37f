#include "src/loop/start_from.h"

#include <gmock/gmock.h>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/nets/policy.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Config WithHidden(int width, uint64_t seed) {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_train()->set_seed(seed);
  config.mutable_network()->add_hidden(width);
  return config;
}

std::string SaveCheckpoint(const Learner& learner) {
  Checkpoint checkpoint;
  checkpoint.learner = learner.Save();
  const std::string path = testing::TempDir() + "/start_from_test.ckpt";
  WriteFileAtomically(path, checkpoint.ToBytes());
  return path;
}

TEST(StartFromCheckpoint, TakesTheNetworksAndNoCounters) {
  const Config config = WithHidden(8, 1);
  const EnvSpec spec = SpecOf(config.env());
  Learner trained(config, spec, at::kCPU);
  trained.RaiseVersion(17);
  Config warm = WithHidden(8, 2);
  Learner learner(warm, spec, at::kCPU);
  const auto actor_of = [](const Learner& one) {
    return PolicyWeights::FromBytes(one.Publish()).actor;
  };
  const std::vector<float> fresh = actor_of(learner);
  StartFromCheckpoint(warm, learner);
  EXPECT_EQ(actor_of(learner), fresh);  // nothing is named
  EXPECT_NE(actor_of(trained), fresh);
  warm.mutable_run()->set_init_from(SaveCheckpoint(trained));
  StartFromCheckpoint(warm, learner);
  EXPECT_EQ(actor_of(learner), actor_of(trained));
  EXPECT_EQ(learner.version(), 0);
}

TEST(StartFromCheckpoint, OtherNetworksAndNoCheckpointsAreErrors) {
  const Config config = WithHidden(8, 1);
  const EnvSpec spec = SpecOf(config.env());
  const std::string path = SaveCheckpoint(Learner(config, spec, at::kCPU));
  Config other = WithHidden(16, 1);
  other.mutable_run()->set_init_from(path);
  Learner learner(other, spec, at::kCPU);
  try {
    StartFromCheckpoint(other, learner);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("run.init_from: "), HasSubstr("does not fit this run")));
  }
  other.mutable_run()->set_init_from(testing::TempDir() + "/none.ckpt");
  EXPECT_THROW(StartFromCheckpoint(other, learner), Error);
}

}  // namespace
}  // namespace dray
