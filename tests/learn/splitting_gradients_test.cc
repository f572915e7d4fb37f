#include "src/learn/device/splitting_gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "src/base/error.h"
#include "src/learn/device/torch_gradients.h"
#include "src/learn/learner.h"
#include "tests/learn/synthetic_rollouts.h"

namespace dray {
namespace {

// Runs out of memory above a number of rows, half way: some gradients are written by then.
class SmallMemory : public Gradients {
 public:
  SmallMemory(ActorCritic& nets, int64_t fits, std::vector<int64_t>* computed)
      : nets_(nets), torch_(nets), fits_(fits), computed_(computed) {}

  LossTerms Policy(const Minibatch& minibatch, const LossSettings& settings) override {
    if (minibatch.rows > fits_) {
      nets_.actor_gradients().fill_(1e6);
      throw c10::OutOfMemoryError({}, "CUDA out of memory");
    }
    computed_->push_back(minibatch.rows);
    return torch_.Policy(minibatch, settings);
  }
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override {
    if (minibatch.rows > fits_) {
      nets_.critic_gradients().fill_(1e6);
      throw std::bad_alloc();
    }
    computed_->push_back(minibatch.rows);
    return torch_.Value(minibatch, settings, scale);
  }
  std::vector<float> Values(const NetInput& input) override {
    if (input.rows() > fits_) throw c10::OutOfMemoryError({}, "CUDA out of memory");
    computed_->push_back(input.rows());
    return torch_.Values(input);
  }

 private:
  ActorCritic& nets_;
  TorchGradients torch_;
  int64_t fits_;
  std::vector<int64_t>* computed_;
};

constexpr int64_t kRows = 50;

struct Case {
  bool discrete;
  LossSettings settings;
};

class SplittingGradientsTest : public testing::TestWithParam<Case> {
 protected:
  SplittingGradientsTest() {
    at::manual_seed(1);
    EnvSpec spec;
    spec.observation_size = 5;
    spec.actions =
        GetParam().discrete ? ActionSpace::Discrete(4) : ActionSpace::Box({-1, -1}, {1, 1});
    NetworkConfig config;
    config.add_hidden(16);
    Rng rng(3, RngPurpose::kTest, 0);
    nets = std::make_unique<ActorCritic>(spec, config, rng, at::kCPU);
    nets->parameters().add_(at::randn_like(nets->parameters()) * 0.2);
    samples.observations = at::randn({kRows, 5});
    samples.actions =
        GetParam().discrete ? at::randint(4, {kRows}, at::kLong) : at::randn({kRows, 2});
    samples.log_probs = at::randn({kRows}) * 0.3 - (GetParam().discrete ? 1.4 : 2.5);
    samples.values = at::randn({kRows});
    // Parts that differ: their own means would give other gradients.
    samples.advantages = at::randn({kRows}) * 2;
    samples.advantages.narrow(0, 0, kRows / 2).add_(5);
    samples.returns = samples.values + at::randn({kRows});
  }

  std::unique_ptr<ActorCritic> nets;
  Samples samples;
};

TEST_P(SplittingGradientsTest, PartsAddUpToTheWhole) {
  const LossSettings& settings = GetParam().settings;
  const Minibatch minibatch{samples, 3, 45};
  TorchGradients torch(*nets);
  const LossTerms expected = torch.Policy(minibatch, settings);
  const double expected_loss = torch.Value(minibatch, settings, 0.5);
  const at::Tensor expected_gradients = nets->gradients().clone();

  std::vector<int64_t> computed;
  SplittingGradients splitting(*nets, std::make_unique<SmallMemory>(*nets, 20, &computed));
  nets->gradients().zero_();
  const LossTerms found = splitting.Policy(minibatch, settings);
  const double found_loss = splitting.Value(minibatch, settings, 0.5);
  // 45 did not fit, nor did 23.
  EXPECT_EQ(computed, (std::vector<int64_t>{12, 12, 12, 9, 12, 12, 12, 9}));
  EXPECT_EQ(splitting.splits(), 4);
  const double scale = expected_gradients.abs().max().item<double>();
  EXPECT_GT(scale, 1e-3);
  EXPECT_LT((nets->gradients() - expected_gradients).abs().max().item<double>(),
            1e-6 * (1 + scale));
  for (int i = 0; i < kLossTerms; ++i) EXPECT_NEAR(found.of[i], expected.of[i], 1e-6) << i;
  EXPECT_NEAR(found_loss, expected_loss, 1e-6 * (1 + expected_loss));
}

TEST_P(SplittingGradientsTest, WhatFitsIsComputedAsBefore) {
  const LossSettings& settings = GetParam().settings;
  const Minibatch minibatch{samples, 0, kRows};
  TorchGradients torch(*nets);
  const double expected_loss = torch.Policy(minibatch, settings).of[kPolicyLoss];
  torch.Value(minibatch, settings, 0.5);
  const at::Tensor expected = nets->gradients().clone();
  std::vector<int64_t> computed;
  SplittingGradients splitting(*nets, std::make_unique<SmallMemory>(*nets, kRows, &computed));
  EXPECT_EQ(splitting.Policy(minibatch, settings).of[kPolicyLoss], expected_loss);
  splitting.Value(minibatch, settings, 0.5);
  EXPECT_TRUE(at::equal(nets->gradients(), expected));
  EXPECT_EQ(computed, (std::vector<int64_t>{kRows, kRows}));
  EXPECT_EQ(splitting.splits(), 0);
}

TEST_P(SplittingGradientsTest, TheSmallerSizeIsKept) {
  std::vector<int64_t> computed;
  SplittingGradients splitting(*nets, std::make_unique<SmallMemory>(*nets, 25, &computed));
  for (int i = 0; i < 2; ++i) splitting.Policy({samples, 0, kRows}, GetParam().settings);
  EXPECT_EQ(computed, (std::vector<int64_t>{25, 25, 25, 25}));
  EXPECT_EQ(splitting.splits(), 1);
  // The critic's memory is another matter, and what is small is not split.
  splitting.Policy({samples, 10, 20}, GetParam().settings);
  splitting.Value({samples, 10, 20}, GetParam().settings, 1);
  EXPECT_EQ(splitting.splits(), 1);
}

TEST_P(SplittingGradientsTest, ValuesAreComputedInParts) {
  const std::vector<float> expected = TorchGradients(*nets).Values(samples.input());
  std::vector<int64_t> computed;
  SplittingGradients splitting(*nets, std::make_unique<SmallMemory>(*nets, 20, &computed));
  const std::vector<float> found = splitting.Values(samples.input());
  EXPECT_EQ(computed, (std::vector<int64_t>{13, 13, 13, 11}));
  EXPECT_EQ(splitting.splits(), 2);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
}

TEST_P(SplittingGradientsTest, ASampleThatNeverFitsIsAnError) {
  std::vector<int64_t> computed;
  SplittingGradients splitting(*nets, std::make_unique<SmallMemory>(*nets, 0, &computed));
  EXPECT_THROW(splitting.Policy({samples, 0, kRows}, GetParam().settings), Error);
  EXPECT_THROW(splitting.Value({samples, 0, kRows}, GetParam().settings, 1), Error);
}

TEST(SplittingGradients, AnUpdateReportsItsSplitsAndLearnsTheSame) {
  EnvSpec spec;
  spec.observation_size = 1;
  spec.actions = ActionSpace::Discrete(2);
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_ppo()->set_minibatch_size(16);
  std::vector<int64_t> computed;
  Learner whole(config, spec, at::kCPU,
                [](ActorCritic& nets, ThreadTeam&) -> std::unique_ptr<Gradients> {
                  return std::make_unique<TorchGradients>(nets);
                });
  Learner split(config, spec, at::kCPU,
                [&](ActorCritic& nets, ThreadTeam&) -> std::unique_ptr<Gradients> {
                  return std::make_unique<SplittingGradients>(
                      nets, std::make_unique<SmallMemory>(nets, /*fits=*/8, &computed));
                });
  const auto blob = Roll(spec, config.network(), whole.Publish(), {}, [](int step, int env) {
    SyntheticStep made;
    made.observation = {static_cast<float>(step % 5) - static_cast<float>(env)};
    made.reward = static_cast<float>((step + env) % 3);
    return made;
  });
  EXPECT_EQ(whole.Update({blob->view()}, 1).metrics.Get("memory/learner_splits"), 0);
  EXPECT_EQ(split.Update({blob->view()}, 1).metrics.Get("memory/learner_splits"),
            2);  // the actor's and the critic's
  EXPECT_EQ(split.Update({blob->view()}, 1).metrics.Get("memory/learner_splits"), 0);
  whole.Update({blob->view()}, 1);
  EXPECT_LT((split.nets().parameters() - whole.nets().parameters()).abs().max().item<double>(),
            1e-4);
}

INSTANTIATE_TEST_SUITE_P(Every, SplittingGradientsTest,
                         testing::Values(Case{true, {0.2, true, true, 0.01}},
                                         Case{true, {0.1, false, false, 0.05}},
                                         Case{false, {0.2, true, true, 0.01}}),
                         [](const auto& info) { return Cat("Case", info.index); });

}  // namespace
}  // namespace dray
