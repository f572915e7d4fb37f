#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "src/learn/advantages.h"
#include "src/learn/cpu/cpu_gradients.h"
#include "src/learn/learner.h"
#include "src/nets/tensor_bytes.h"
#include "tests/learn/synthetic_rollouts.h"

// How the learner puts its parts together: which values, ratios, rewards and settings reach which
// function. The functions themselves have tests of their own.

namespace dray {
namespace {

constexpr int kSteps = 12, kEnvs = 2, kWidth = 3;

EnvSpec Spec() {
  EnvSpec spec;
  spec.observation_size = kWidth;
  spec.actions = ActionSpace::Discrete(4);
  return spec;
}

std::vector<float> ObservationOf(int t, int env) {
  Rng rng(5, RngPurpose::kTest, static_cast<uint64_t>(t * 10 + env));
  std::vector<float> observation(kWidth);
  for (float& value : observation) value = static_cast<float>(rng.Normal());
  return observation;
}

// A cut's final observation is unlike any other of the rollout.
std::vector<float> FinalOf(int t, int env) { return ObservationOf(1000 + t, env); }

SyntheticStep Task(int t, int env) {
  SyntheticStep step;
  step.observation = ObservationOf(t, env);
  step.final_observation = FinalOf(t, env);
  step.reward = static_cast<float>(std::sin(3 * t + env));
  step.terminated = t % 7 == 5;
  step.truncated = t % 5 == 3;
  return step;
}

// Keeps the first minibatch, which with one large minibatch is everything, in rollout order after
// sorting it out by observation; and the settings.
class Recorder : public Gradients {
 public:
  explicit Recorder(ActorCritic& nets) : inner_(nets) {}

  LossTerms Policy(const Minibatch& m, const LossSettings& s) override {
    if (!seen) {
      seen = true;
      settings = s;
      rows = m.rows;
      observations = ToVector(m.samples.observations);
      advantages = ToVector(m.samples.advantages);
      returns = ToVector(m.samples.returns);
      values = ToVector(m.samples.values);
    }
    return inner_.Policy(m, s);
  }
  double Value(const Minibatch& m, const LossSettings& s, double scale) override {
    return inner_.Value(m, s, scale);
  }
  std::vector<float> Values(const NetInput& input) override { return inner_.Values(input); }

  // The position of a sample in what was recorded.
  size_t Find(const std::vector<float>& observation) const {
    for (int64_t i = 0; i < rows; ++i) {
      if (observations[static_cast<size_t>(i * kWidth)] == observation[0])
        return static_cast<size_t>(i);
    }
    ADD_FAILURE() << "a sample is missing";
    return 0;
  }

  bool seen = false;
  LossSettings settings;
  int64_t rows = 0;
  std::vector<float> observations, advantages, returns, values;

 private:
  CpuGradients inner_;
};

Config OneMinibatch() {
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_ppo()->set_minibatch_size(kSteps * kEnvs);
  config.mutable_ppo()->set_gamma(0.9);
  config.mutable_ppo()->set_gae_lambda(0.7);
  return config;
}

// A learner whose minibatches are recorded, and what its critic said before the update.
struct Watched {
  explicit Watched(const Config& config)
      : config(config), learner(config, Spec(), at::kCPU, [this](ActorCritic& nets, ThreadTeam&) {
          auto made = std::make_unique<Recorder>(nets);
          recorder = made.get();
          return made;
        }) {}

  float ValueOf(const std::vector<float>& observation) const {
    const c10::NoGradGuard no_grad;
    std::vector<float> copy = observation;
    return learner.nets().Values(at::from_blob(copy.data(), {1, kWidth}, at::kFloat)).item<float>();
  }

  // The trajectories as they should reach Gae or VTrace, with `reward_scale` applied.
  struct Columns {
    std::vector<float> rewards, values, next_values;
    std::vector<uint8_t> terminated, truncated;
    Trajectories View() const {
      return {kSteps, kEnvs, rewards, values, next_values, terminated, truncated};
    }
  };
  Columns Expected(float reward_scale = 1) const {
    Columns c;
    for (int t = 0; t < kSteps; ++t) {
      for (int e = 0; e < kEnvs; ++e) {
        const SyntheticStep step = Task(t, e);
        c.rewards.push_back(step.reward * reward_scale);
        c.values.push_back(ValueOf(step.observation));
        c.next_values.push_back(step.truncated ? ValueOf(FinalOf(t, e))
                                               : ValueOf(ObservationOf(t + 1, e)));
        c.terminated.push_back(step.terminated);
        c.truncated.push_back(step.truncated);
      }
    }
    return c;
  }

  SharedBlob RollOut() {
    return Roll(Spec(), config.network(), learner.Publish(), {kSteps, kEnvs, 0}, Task);
  }

  void ExpectTargets(const std::vector<float>& advantages,
                     const std::vector<float>& returns) const {
    for (int t = 0; t < kSteps; ++t) {
      for (int e = 0; e < kEnvs; ++e) {
        const size_t i = static_cast<size_t>(t * kEnvs + e),
                     found = recorder->Find(ObservationOf(t, e));
        EXPECT_NEAR(recorder->advantages[found], advantages[i], 1e-4) << t << " " << e;
        EXPECT_NEAR(recorder->returns[found], returns[i], 1e-4) << t << " " << e;
      }
    }
  }

  Config config;
  Recorder* recorder = nullptr;
  Learner learner;
};

TEST(LearnerTargets, AreGaeOfThePresentCriticWithFinalObservationsAtCuts) {
  Watched watched(OneMinibatch());
  const SharedBlob batch = watched.RollOut();
  const auto columns = watched.Expected();
  const Targets expected = Gae(columns.View(), 0.9f, 0.7f);
  const UpdateReport report = watched.learner.Update({batch->view()}, 1);
  watched.ExpectTargets(expected.advantages, expected.returns);

  // Explained variance of these very numbers.
  double mean_return = 0, mean_residual = 0, variance = 0, residual = 0;
  const auto n = static_cast<double>(expected.returns.size());
  for (size_t i = 0; i < expected.returns.size(); ++i) {
    mean_return += expected.returns[i] / n;
    mean_residual += (expected.returns[i] - columns.values[i]) / n;
  }
  for (size_t i = 0; i < expected.returns.size(); ++i) {
    variance += std::pow(expected.returns[i] - mean_return, 2);
    residual += std::pow(expected.returns[i] - columns.values[i] - mean_residual, 2);
  }
  EXPECT_NEAR(report.metrics.Get("train/explained_variance"), 1 - residual / variance, 1e-4);
}

TEST(LearnerTargets, OfALaggingBatchAreVTraceWithTheRealRatios) {
  Config config = OneMinibatch();
  config.mutable_ppo()->set_max_policy_lag(3);
  config.mutable_ppo()->set_learning_rate(0.05);
  Watched watched(config);
  const SharedBlob old = watched.RollOut();
  for (int i = 0; i < 3; ++i) watched.learner.Update({watched.RollOut()->view()}, 1);
  watched.recorder->seen = false;

  const BatchReader reader(old->view());
  std::vector<float> log_ratios;
  double largest = 0;
  for (int i = 0; i < kSteps * kEnvs; ++i) {
    const c10::NoGradGuard no_grad;
    std::vector<float> observation = ObservationOf(i / kEnvs, i % kEnvs);
    std::vector<int64_t> action = {reader.columns().action_indices[i]};
    const at::Tensor now = watched.learner.nets()
                               .Actions(at::from_blob(observation.data(), {1, kWidth}, at::kFloat),
                                        {}, at::from_blob(action.data(), {1}, at::kLong))
                               .log_probs;
    log_ratios.push_back(now.item<float>() - reader.columns().log_probs[i]);
    largest = std::max(largest, std::abs(double{log_ratios.back()}));
  }
  ASSERT_GT(largest, 0.05) << "the policies must differ for this to test anything";
  const auto columns = watched.Expected();
  const VTraceTargets expected =
      VTrace(columns.View(), log_ratios, {.gamma = 0.9f, .lambda = 0.7f});
  std::vector<float> advantages = expected.vs;
  for (size_t i = 0; i < advantages.size(); ++i) advantages[i] -= columns.values[i];
  watched.learner.Update({old->view()}, 1);
  watched.ExpectTargets(advantages, expected.vs);
}

TEST(LearnerTargets, NormalisedRewardsAreDividedByTheDeviationOfTheReturn) {
  Config config = OneMinibatch();
  config.mutable_normalize()->set_rewards(true);
  Watched watched(config);
  const SharedBlob batch = watched.RollOut();
  const BatchReader reader(batch->view());
  Moments moments(1);
  moments.Add(reader.columns().discounted_returns);
  const auto scale = static_cast<float>(1 / std::sqrt(moments.Variance()[0] + 1e-8));
  ASSERT_GT(std::abs(scale - 1), 0.01f);
  const auto columns = watched.Expected(scale);
  const Targets expected = Gae(columns.View(), 0.9f, 0.7f);
  watched.learner.Update({batch->view()}, 1);
  watched.ExpectTargets(expected.advantages, expected.returns);
}

TEST(LearnerTargets, EverySettingReachesTheLoss) {
  Config config = OneMinibatch();
  config.mutable_ppo()->set_clip(0.37);
  config.mutable_ppo()->set_clip_value_loss(false);
  config.mutable_ppo()->set_normalize_advantages(false);
  config.mutable_ppo()->set_entropy_coefficient(0.123);
  Watched watched(config);
  watched.learner.Update({watched.RollOut()->view()}, 1);
  const LossSettings& settings = watched.recorder->settings;
  EXPECT_DOUBLE_EQ(settings.clip, 0.37);
  EXPECT_FALSE(settings.clip_value);
  EXPECT_FALSE(settings.normalize_advantages);
  EXPECT_DOUBLE_EQ(settings.entropy_coefficient, 0.123);
  Watched defaults(OneMinibatch());
  defaults.learner.Update({defaults.RollOut()->view()}, 1);
  EXPECT_TRUE(defaults.recorder->settings.clip_value);
  EXPECT_TRUE(defaults.recorder->settings.normalize_advantages);
}

}  // namespace
}  // namespace dray
