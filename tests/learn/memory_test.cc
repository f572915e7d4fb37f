// Shard and learner with a policy that remembers, on a task that no other policy can solve.

#include "src/nets/memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "src/env/vec_env.h"
#include "src/learn/cpu/cpu_gradients.h"
#include "src/learn/device/torch_gradients.h"
#include "src/learn/learner.h"
#include "src/rollout/env_shard.h"
#include "tests/rollout/recall_env.h"

namespace dray {
namespace {

constexpr int kSteps = 32, kEnvs = 32;

std::unique_ptr<BatchEnv> MakeRecallEnvs(const EnvConfig&, const EnvStreams& streams, int count) {
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<RecallEnv>());
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

Config ForRecall(NetworkKind kind) {
  Config config;
  config.mutable_train()->set_seed(5);
  config.mutable_network()->set_kind(kind);
  config.mutable_network()->set_memory(16);
  config.mutable_network()->set_memory_steps(16);
  config.mutable_network()->add_hidden(16);
  config.mutable_ppo()->set_minibatch_size(200);
  config.mutable_ppo()->set_policy_epochs(4);
  config.mutable_ppo()->set_learning_rate(5e-3);
  config.mutable_ppo()->set_gamma(0.95);
  return config;
}

struct Training {
  explicit Training(const Config& config, const Learner::MakeGradients& gradients = nullptr)
      : shard(config, {.envs = kEnvs}, kSteps, MakeRecallEnvs),
        learner(config, RecallEnv().spec(), at::kCPU, gradients) {}

  // Returns the share of right answers in an epoch's rollout.
  double Epoch() {
    const Rollout rollout = shard.Collect(learner.Publish());
    batch.assign(reinterpret_cast<const char*>(rollout.batch->data()), rollout.batch->size());
    report = learner.Update({batch}, /*remaining=*/1);
    double right = 0, answered = 0;
    for (const Episode& episode : rollout.summary.episodes) {
      if (episode.stats[0] != 0) continue;
      right += episode.total_reward;
      ++answered;
    }
    return right / answered;
  }

  EnvShard shard;
  Learner learner;
  std::string batch;
  UpdateReport report;
};

double AfterTraining(const Config& config) {
  Training run(config);
  double right = 0;
  constexpr int kEpochs = 60, kLast = 10;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const double now = run.Epoch();
    if (epoch >= kEpochs - kLast) right += now / kLast;
  }
  return right;
}

TEST(Memory, SolvesWhatAPolicyWithoutItCannot) {
  EXPECT_GT(AfterTraining(ForRecall(GRU)), 0.97);
  EXPECT_LT(AfterTraining(ForRecall(MLP)), 0.6);
}

TEST(Memory, ShardAndLearnerAgreeOnProbabilities) {
  Training run(ForRecall(GRU));
  for (int epoch = 0; epoch < 3; ++epoch) {
    run.Epoch();
    EXPECT_LT(run.report.metrics.Get("train/first_ratio_error"), 1e-4);
  }
}

TEST(Memory, TheLibraryLearnsTheSame) {
  const Config config = ForRecall(GRU);
  Training plain(config), torch(config, [](ActorCritic&nets, ThreadTeam&) {
    return std::make_unique<TorchGradients>(nets);
  });
  for (int epoch = 0; epoch < 2; ++epoch) {
    plain.Epoch();
    torch.Epoch();
    for (const char* name : {"train/entropy", "train/value_loss", "train/grad_norm"}) {
      EXPECT_NEAR(plain.report.metrics.Get(name), torch.report.metrics.Get(name), 1e-3) << name;
    }
  }
}

TEST(Memory, AShardContinuesFromItsSavedStateWithTheSameBits) {
  const Config config = ForRecall(GRU);
  Training run(config);
  run.Epoch();
  EnvShard other(config, {.envs = kEnvs}, kSteps, MakeRecallEnvs);
  other.Load(run.shard.Save());
  const std::string weights = run.learner.Publish();
  const Rollout one = run.shard.Collect(weights), same = other.Collect(weights);
  ASSERT_EQ(one.batch->size(), same.batch->size());
  EXPECT_TRUE(
      std::equal(one.batch->data(), one.batch->data() + one.batch->size(), same.batch->data()));
}

TEST(Memory, WorksWithLagAndNormalisedObservations) {
  Config config = ForRecall(GRU);
  config.mutable_ppo()->set_max_policy_lag(1);
  config.mutable_normalize()->set_observations(true);
  EXPECT_GT(AfterTraining(config), 0.9);
}

}  // namespace
}  // namespace dray
