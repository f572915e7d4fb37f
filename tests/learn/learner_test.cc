#include "src/learn/learner.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "src/base/error.h"
#include "src/learn/cpu/cpu_gradients.h"
#include "src/learn/device/torch_gradients.h"
#include "src/nets/policy.h"
#include "src/rollout/env_shard.h"
#include "tests/learn/synthetic_rollouts.h"
#include "tests/rollout/shopping_env.h"

namespace dray {
namespace {

EnvSpec Spec(bool masked = false) {
  EnvSpec spec;
  spec.observation_size = 3;
  spec.actions = ActionSpace::Discrete(4);
  spec.masked = masked;
  return spec;
}

EnvSpec ContinuousSpec() {
  EnvSpec spec;
  spec.observation_size = 3;
  spec.actions = ActionSpace::Box({-1, -1}, {1, 1});
  return spec;
}

// Observations, rewards and ends of all kinds, different for every sample.
SyntheticStep Mixed(int t, int env) {
  Rng rng(9, RngPurpose::kTest, static_cast<uint64_t>(t * 100 + env));
  SyntheticStep step;
  for (int i = 0; i < 3; ++i) step.observation.push_back(static_cast<float>(rng.Normal()));
  step.mask = {1, static_cast<uint8_t>(rng.Below(2)), static_cast<uint8_t>(rng.Below(2)), 0};
  step.reward = static_cast<float>(rng.Normal());
  step.terminated = rng.Uniform() < 0.1;
  step.truncated = rng.Uniform() < 0.1;
  return step;
}

SyntheticStep MixedWithoutMask(int t, int env) {
  SyntheticStep step = Mixed(t, env);
  step.mask.clear();
  return step;
}

Config SmallConfig() {
  Config config;
  config.mutable_network()->add_hidden(16);
  config.mutable_ppo()->set_minibatch_size(16);
  config.mutable_ppo()->set_learning_rate(1e-3);
  return config;
}

std::vector<std::string_view> Views(const std::vector<SharedBlob>& blobs) {
  std::vector<std::string_view> views;
  for (const SharedBlob& blob : blobs) views.push_back(blob->view());
  return views;
}

// A learner together with the task it learns from.
struct Bench {
  Bench(const Config& config, const EnvSpec& spec, SyntheticTask task)
      : config(config), spec(spec), task(std::move(task)), learner(config, spec, at::kCPU) {}

  SharedBlob RollOut(SyntheticShape shape = {}) {
    return Roll(spec, config.network(), learner.Publish(), shape, task);
  }
  UpdateReport Update(double remaining = 1) {
    const SharedBlob blob = RollOut();
    return learner.Update({blob->view()}, remaining);
  }

  Config config;
  EnvSpec spec;
  SyntheticTask task;
  Learner learner;
};

TEST(Learner, TheFirstPolicyIsNearlyUniform) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_policy_epochs(1);
  Bench bench(config, Spec(), MixedWithoutMask);
  EXPECT_NEAR(bench.Update().metrics.Get("train/entropy"), std::log(4.0), 1e-3);
}

// --- Shard and learner agree
// ------------------------------------------------------------------------

void ExpectRatioOne(const EnvSpec& spec, const SyntheticTask& task, Config config) {
  Bench bench(config, spec, task);
  for (int i = 0; i < 5; ++i) {
    const UpdateReport report = bench.Update();
    EXPECT_LT(report.metrics.Get("train/first_ratio_error"), 1e-5) << "update " << i;
  }
}

TEST(Learner, TheFirstMinibatchHasRatioOne) {
  ExpectRatioOne(Spec(), MixedWithoutMask, SmallConfig());
}

TEST(Learner, TheFirstMinibatchHasRatioOneWithMasks) {
  ExpectRatioOne(Spec(true), Mixed, SmallConfig());
}

TEST(Learner, TheFirstMinibatchHasRatioOneWithContinuousActionsAndNormalisers) {
  Config config = SmallConfig();
  config.mutable_normalize()->set_observations(true);
  config.mutable_normalize()->set_rewards(true);
  ExpectRatioOne(ContinuousSpec(), MixedWithoutMask, config);
}

TEST(Learner, TheFirstMinibatchHasRatioOneWithBagsOfEpisodesUnderWay) {
  Config config = SmallConfig();
  config.mutable_normalize()->set_observations(true);
  Learner learner(config, ShoppingEnv({}, 1).spec(), at::kCPU);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 4}, /*rollout_steps=*/16,
                 MakeShoppingEnv);
  for (int i = 0; i < 5; ++i) {
    const SharedBlob blob = shard.Collect(learner.Publish()).batch;
    EXPECT_LT(learner.Update({blob->view()}, 1).metrics.Get("train/first_ratio_error"), 1e-5)
        << "update " << i;
  }
}

// Up to four tokens of three numbers, then a context of five.
SyntheticStep Tokens(int t, int env) {
  SyntheticStep step = Mixed(t, env);
  Rng rng(10, RngPurpose::kTest, static_cast<uint64_t>(t * 100 + env));
  step.observation.assign(4 * 3, 0.0f);
  for (size_t i = 0; i < rng.Below(5); ++i) step.observation[3 * i] = 1;
  for (float& number : step.observation) number *= static_cast<float>(1 + rng.Uniform());
  for (int i = 0; i < 5; ++i) step.observation.push_back(static_cast<float>(rng.Normal()));
  return step;
}

TEST(Learner, TheFirstMinibatchHasRatioOneWithAttention) {
  EnvSpec spec = Spec(true);
  spec.observation_size = 4 * 3 + 5;
  spec.tokens = {.count = 4, .size = 3};
  Config config = SmallConfig();
  config.mutable_network()->set_kind(ATTENTION);
  ExpectRatioOne(spec, Tokens, config);
}

TEST(Learner, OneMinibatchOverFreshDataHasNoKlAndClipsNothing) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_policy_epochs(1);
  config.mutable_ppo()->set_minibatch_size(1000);
  const UpdateReport report = Bench(config, Spec(true), Mixed).Update();
  EXPECT_NEAR(report.metrics.Get("train/kl_k1"), 0, 1e-6);
  EXPECT_NEAR(report.metrics.Get("train/kl_k3"), 0, 1e-6);
  EXPECT_EQ(report.metrics.Get("train/clip_fraction"), 0);
}

TEST(Learner, WithMasksTheEntropyStaysBelowThatOfTheAllowedActions) {
  double allowed = 0;
  for (int t = 0; t < 16; ++t) {
    for (int e = 0; e < 4; ++e) {
      const auto mask = Mixed(t, e).mask;
      allowed += std::log(static_cast<double>(std::count(mask.begin(), mask.end(), 1))) / 64;
    }
  }
  EXPECT_LE(Bench(SmallConfig(), Spec(true), Mixed).Update().metrics.Get("train/entropy"),
            allowed + 1e-6);
}

// --- The same numbers
// --------------------------------------------------------------------------------

TEST(Learner, AnUpdateFromSeveralShardsEqualsTheUpdateFromOne) {
  Bench one(SmallConfig(), Spec(true), Mixed), several(SmallConfig(), Spec(true), Mixed);
  for (int i = 0; i < 3; ++i) {
    const SharedBlob whole = one.RollOut({16, 6, 0});
    const std::vector<SharedBlob> parts = {several.RollOut({16, 1, 0}), several.RollOut({16, 3, 1}),
                                           several.RollOut({16, 2, 4})};
    one.learner.Update({whole->view()}, 1);
    several.learner.Update(Views(parts), 1);
  }
  const at::Tensor difference =
      one.learner.nets().parameters() - several.learner.nets().parameters();
  EXPECT_LT(difference.abs().max().item<double>(), 1e-6);
}

TEST(Learner, AnUpdateFromSeveralShardsOfBagsEqualsTheUpdateFromOne) {
  const EnvSpec spec = ShoppingEnv({}, 1).spec();
  Learner one(SmallConfig(), spec, at::kCPU), several(SmallConfig(), spec, at::kCPU);
  EnvShard whole(SmallConfig(), {0, 0, 6}, 16, MakeShoppingEnv),
      first(SmallConfig(), {0, 0, 2}, 16, MakeShoppingEnv),
      second(SmallConfig(), {1, 2, 4}, 16, MakeShoppingEnv);
  for (int i = 0; i < 3; ++i) {
    const std::string weights = one.Publish();
    const SharedBlob all = whole.Collect(weights).batch;
    const std::vector<SharedBlob> parts = {first.Collect(weights).batch,
                                           second.Collect(weights).batch};
    one.Update({all->view()}, 1);
    several.Update(Views(parts), 1);
  }
  EXPECT_LT((one.nets().parameters() - several.nets().parameters()).abs().max().item<double>(),
            1e-6);
}

TEST(Learner, WithABagItLearnsWhatToBuy) {
  // The better good is the one with the higher number, unless it was bought before.
  Config config = SmallConfig();
  config.mutable_ppo()->set_learning_rate(5e-3);
  config.mutable_ppo()->set_gamma(0.5);
  Learner learner(config, ShoppingEnv({}, 1).spec(), at::kCPU);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 16}, /*rollout_steps=*/32,
                 MakeShoppingEnv);
  double reward = 0;
  for (int i = 0; i < 60; ++i) {
    const SharedBlob blob = shard.Collect(learner.Publish()).batch;
    const BatchReader batch(blob->view());
    reward = 0;
    for (const float r : batch.columns().rewards) reward += r / (16.0 * 32.0);
    learner.Update({blob->view()}, 1);
  }
  // At random: 3.5 less what repeats cost, about 3.3.
  EXPECT_GT(reward, 4.2);
}

TEST(Learner, TheSameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  Config other_seed = SmallConfig();
  other_seed.mutable_train()->set_seed(43);
  Bench a(SmallConfig(), Spec(), MixedWithoutMask), b(SmallConfig(), Spec(), MixedWithoutMask),
      c(other_seed, Spec(), MixedWithoutMask);
  for (int i = 0; i < 5; ++i) {
    a.Update();
    b.Update();
    c.Update();
  }
  EXPECT_TRUE(at::equal(a.learner.nets().parameters(), b.learner.nets().parameters()));
  EXPECT_FALSE(at::equal(a.learner.nets().parameters(), c.learner.nets().parameters()));
}

TEST(Learner, LearnsTheSameBitsHoweverManyThreadsShareTheWork) {
  for (const int value_epochs : {0, 7}) {  // one optimiser, and two
    Config config = SmallConfig();
    config.mutable_network()->add_hidden(128);
    config.mutable_ppo()->set_minibatch_size(64);
    config.mutable_ppo()->set_value_epochs(value_epochs);
    config.mutable_scale()->set_learner_threads(1);
    Bench one(config, Spec(true), Mixed);
    std::vector<UpdateReport> expected;
    for (int i = 0; i < 5; ++i) expected.push_back(one.Update());
    for (const int threads : {0, 2, 3, 8}) {  // 0: as many as turn out fastest
      config.mutable_scale()->set_learner_threads(threads);
      Bench many(config, Spec(true), Mixed);
      for (const UpdateReport& a : expected) {
        const UpdateReport b = many.Update();
        EXPECT_EQ(a.metrics.Get("train/value_loss"), b.metrics.Get("train/value_loss"));
        EXPECT_EQ(a.metrics.Get("train/policy_loss"), b.metrics.Get("train/policy_loss"));
        EXPECT_EQ(a.metrics.Get("train/grad_norm"), b.metrics.Get("train/grad_norm"));
        EXPECT_EQ(a.metrics.Get("train/explained_variance"),
                  b.metrics.Get("train/explained_variance"));
        if (threads > 0) {
          EXPECT_EQ(b.metrics.Get("time/learner_threads"), threads);
        }
      }
      EXPECT_EQ(one.learner.Save(), many.learner.Save()) << threads << " threads";
    }
  }
}

TEST(Learner, TakesTheCoresThatShardsLeaveFree) {
  Config config;
  EXPECT_EQ(Learner::MostThreads(config, 16), 16);
  config.mutable_scale()->set_num_envs(64);
  config.mutable_scale()->set_envs_per_shard(16);
  EXPECT_EQ(Learner::MostThreads(config, 16), 16) << "shards rest while it learns";
  config.mutable_ppo()->set_max_policy_lag(1);
  EXPECT_EQ(Learner::MostThreads(config, 16), 12);
  EXPECT_EQ(Learner::MostThreads(config, 2), 1);
  config.mutable_scale()->set_threads(2);
  EXPECT_EQ(Learner::MostThreads(config, 16), 14);
  config.mutable_scale()->set_learner_threads(3);
  EXPECT_EQ(Learner::MostThreads(config, 16), 3);
}

TEST(Learner, SavedAndLoadedItGoesOnBitForBit) {
  Config config = SmallConfig();
  config.mutable_normalize()->set_observations(true);
  config.mutable_normalize()->set_rewards(true);
  config.mutable_ppo()->set_value_epochs(6);
  Bench a(config, ContinuousSpec(), MixedWithoutMask),
      b(config, ContinuousSpec(), MixedWithoutMask);
  for (int i = 0; i < 3; ++i) a.Update();
  b.learner.Load(a.learner.Save());
  EXPECT_EQ(a.learner.Publish(), b.learner.Publish());
  for (int i = 0; i < 3; ++i) {
    a.Update();
    b.Update();
  }
  EXPECT_EQ(a.learner.Save(), b.learner.Save());
}

TEST(Learner, AutogradAndPlainMemoryLearnTheSame) {
  // See gradients_test for each gradient; here they add up over whole updates.
  Bench fast(SmallConfig(), Spec(true), Mixed);
  Learner slow(SmallConfig(), Spec(true), at::kCPU, [](ActorCritic& nets, ThreadTeam&) {
    return std::make_unique<TorchGradients>(nets);
  });
  for (int i = 0; i < 3; ++i) {
    const SharedBlob blob = fast.RollOut();
    fast.learner.Update({blob->view()}, 1);
    slow.Update({blob->view()}, 1);
  }
  EXPECT_LT(
      (fast.learner.nets().parameters() - slow.nets().parameters()).abs().max().item<double>(),
      1e-4);
}

// --- What is done how often
// --------------------------------------------------------------------------

// Notes which samples each pass saw; samples are recognised by their first observation value.
class Watcher : public Gradients {
 public:
  explicit Watcher(ActorCritic& nets) : inner_(nets) {}

  LossTerms Policy(const Minibatch& m, const LossSettings& settings) override {
    Note(m, policy_seen);
    return inner_.Policy(m, settings);
  }
  double Value(const Minibatch& m, const LossSettings& settings, double scale) override {
    Note(m, value_seen);
    value_scales.insert(scale);
    return inner_.Value(m, settings, scale);
  }
  std::vector<float> Values(const NetInput& input) override { return inner_.Values(input); }

  std::vector<float> policy_seen, value_seen;
  std::set<double> value_scales;

 private:
  void Note(const Minibatch& m, std::vector<float>& seen) {
    for (int64_t i = 0; i < m.rows; ++i) {
      seen.push_back(m.samples.observations[m.start + i][0].item<float>());
    }
  }
  CpuGradients inner_;
};

struct Watched {
  explicit Watched(const Config& config)
      : learner(config, Spec(), at::kCPU, [this](ActorCritic& nets, ThreadTeam&) {
          auto made = std::make_unique<Watcher>(nets);
          watcher = made.get();
          return made;
        }) {
    const SharedBlob blob =
        Roll(Spec(), config.network(), learner.Publish(), {16, 4, 0}, MixedWithoutMask);
    report = learner.Update({blob->view()}, 1);
  }
  Watcher* watcher = nullptr;
  Learner learner;
  UpdateReport report;
};

TEST(Learner, EverySampleIsSeenOnceAnEpochInAnotherOrder) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_policy_epochs(3);
  const Watched watched(config);
  const std::vector<float>& seen = watched.watcher->policy_seen;
  ASSERT_EQ(seen.size(), 3u * 64u);
  const std::set<float> all(seen.begin(), seen.end());
  EXPECT_EQ(all.size(), 64u);
  for (int epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(std::set<float>(seen.begin() + epoch * 64, seen.begin() + (epoch + 1) * 64), all);
  }
  EXPECT_NE(std::vector<float>(seen.begin(), seen.begin() + 64),
            std::vector<float>(seen.begin() + 64, seen.begin() + 128));
  EXPECT_EQ(watched.watcher->value_scales, std::set<double>{0.5});
}

TEST(Learner, PolicyAndValueEpochsMayDiffer) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_policy_epochs(2);
  config.mutable_ppo()->set_value_epochs(5);
  const Watched watched(config);
  EXPECT_EQ(watched.watcher->policy_seen.size(), 2u * 64u);
  EXPECT_EQ(watched.watcher->value_seen.size(), 5u * 64u);
  EXPECT_EQ(watched.watcher->value_scales, std::set<double>{1.0});
}

TEST(Learner, AKlTargetEndsThePolicyEpochsEarly) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_learning_rate(0.05);
  config.mutable_ppo()->set_policy_epochs(10);
  EXPECT_EQ(Watched(config).report.metrics.Get("train/policy_epochs_run"), 10);
  config.mutable_ppo()->set_target_kl(1e-4);
  EXPECT_EQ(Watched(config).report.metrics.Get("train/policy_epochs_run"), 1);
}

TEST(Learner, SchedulesFollowWhatIsLeftOfTheRun) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_clip_schedule(LINEAR);
  Bench linear(config, Spec(), MixedWithoutMask);
  EXPECT_DOUBLE_EQ(linear.Update(1.0).metrics.Get("train/learning_rate"), 1e-3);
  const UpdateReport last = linear.Update(0.1);
  EXPECT_DOUBLE_EQ(last.metrics.Get("train/learning_rate"), 1e-4);
  EXPECT_DOUBLE_EQ(last.metrics.Get("train/clip_range"), 0.02);
  config.mutable_ppo()->set_learning_rate_schedule(CONSTANT);
  EXPECT_DOUBLE_EQ(
      Bench(config, Spec(), MixedWithoutMask).Update(0.1).metrics.Get("train/learning_rate"), 1e-3);
  config.mutable_ppo()->set_learning_rate_schedule(COSINE);
  Bench cosine(config, Spec(), MixedWithoutMask);
  const auto rate = [&](double remaining) {
    return cosine.Update(remaining).metrics.Get("train/learning_rate");
  };
  EXPECT_DOUBLE_EQ(rate(1), 1e-3);
  EXPECT_DOUBLE_EQ(rate(0.75), 1e-3 * (2 + std::sqrt(2.0)) / 4);
  EXPECT_DOUBLE_EQ(rate(0.5), 0.5e-3);
}

TEST(Learner, TheCriticMayHaveALearningRateOfItsOwn) {
  Config config = SmallConfig();
  const auto moved = [&config](auto&& parameters) {
    Bench bench(config, Spec(), MixedWithoutMask);
    const at::Tensor before = parameters(bench).clone();
    bench.Update();
    return (parameters(bench) - before).abs().max().template item<double>();
  };
  const auto actor = [](Bench& bench) { return bench.learner.nets().actor(); };
  const auto critic = [](Bench& bench) { return bench.learner.nets().critic(); };
  const double before = moved(critic);
  config.mutable_ppo()->set_value_learning_rate(1e-9);
  EXPECT_LT(moved(critic), 1e-3 * before);
  EXPECT_GT(moved(actor), 1e-4);
  const UpdateReport report = Bench(config, Spec(), MixedWithoutMask).Update(0.5);
  EXPECT_DOUBLE_EQ(report.metrics.Get("train/value_learning_rate"), 0.5e-9);
  EXPECT_DOUBLE_EQ(report.metrics.Get("train/learning_rate"), 0.5e-3);
}

// --- Truncation
// --------------------------------------------------------------------------------------

// An endless task that pays 1 a step and is cut every fourth step.
SyntheticStep Endless(int t, int) {
  SyntheticStep step;
  step.observation = {1, 0, 0};
  step.reward = 1;
  step.truncated = t % 4 == 3;
  return step;
}

double LearnedValue(bool bootstrap_truncated) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_gamma(0.9);
  config.mutable_ppo()->set_learning_rate(3e-3);
  config.mutable_ppo()->set_clip_value_loss(false);
  config.mutable_ppo()->set_bootstrap_truncated(bootstrap_truncated);
  config.mutable_ppo()->set_value_epochs(20);
  Bench bench(config, Spec(), Endless);
  for (int i = 0; i < 200; ++i) bench.Update();
  const c10::InferenceMode inference;
  return bench.learner.nets().Values(at::tensor({1.0f, 0.0f, 0.0f}).unsqueeze(0)).item<double>();
}

TEST(Learner, TheValueOfAnEndlessTaskCutByTheClockIsThatOfTheEndlessTask) {
  EXPECT_NEAR(LearnedValue(/*bootstrap_truncated=*/true), 1 / (1 - 0.9), 0.3);
}

TEST(Learner, TreatingTheCutAsAnEndValuesItFarTooLow) {
  EXPECT_LT(LearnedValue(/*bootstrap_truncated=*/false), 4);
}

// --- Appraisals
// --------------------------------------------------------------------------

// The best action has the number of the largest observation, by appraisals with much noise; rewards
// say nothing.
SyntheticStep NoisyTeacher(int t, int env) {
  SyntheticStep step = Mixed(t, env);
  step.mask = {1, 1, 1, 0};
  step.reward = 0;
  Rng rng(10, RngPurpose::kTest, static_cast<uint64_t>(t * 100 + env));
  step.appraisals = {step.observation[0], step.observation[1], step.observation[2], 100};
  for (float& appraisal : step.appraisals) appraisal += 3 * static_cast<float>(rng.Normal()) + 50;
  return step;
}

Config FollowingConfig() {
  Config config = SmallConfig();
  config.mutable_ppo()->set_policy_coefficient(0);
  config.mutable_ppo()->set_value_coefficient(0);
  config.mutable_ppo()->set_entropy_coefficient(0);
  config.mutable_ppo()->set_appraisal_coefficient(1);
  config.mutable_ppo()->set_appraisal_temperature(0.5);
  config.mutable_ppo()->set_learning_rate(3e-3);
  return config;
}

EnvSpec AppraisedSpec() {
  EnvSpec spec = Spec(/*masked=*/true);
  spec.appraises = true;
  return spec;
}

TEST(Learner, FollowsAppraisalsThroughTheirNoise) {
  Bench bench(FollowingConfig(), AppraisedSpec(), NoisyTeacher);
  const at::Tensor critic = bench.learner.nets().critic().detach().clone();
  for (int i = 0; i < 60; ++i) {
    const SharedBlob rollout = bench.RollOut({128, 8, 8 * i});
    bench.learner.Update({rollout->view()}, 1);
  }
  Policy policy(AppraisedSpec(), FollowingConfig().network());
  policy.Load(bench.learner.Publish());
  int best = 0;
  double slope = 0;
  for (int i = 0; i < 1000; ++i) {
    Rng rng(11, RngPurpose::kTest, static_cast<uint64_t>(i));
    std::vector<float> seen(3);
    for (float& value : seen) value = static_cast<float>(rng.Normal());
    const auto logits = policy.Outputs(seen).first(3);
    best += std::ranges::max_element(logits) - logits.begin() ==
            std::ranges::max_element(seen) - seen.begin();
    slope += (logits[0] - logits[1]) * (seen[0] - seen[1]) / (2 * 1000);
  }
  EXPECT_GT(best, 850);
  // A logit is worth the temperature.
  EXPECT_NEAR(slope, 1 / 0.5, 0.4);
  // Without a coefficient the critic rests.
  EXPECT_TRUE(at::equal(critic, bench.learner.nets().critic()));
}

TEST(Learner, AppraisalsThatNobodyGivesAreAnError) {
  try {
    Bench bench(FollowingConfig(), Spec(), MixedWithoutMask);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("ppo.appraisal_coefficient"), std::string::npos);
  }
}

// --- Data of older policies
// --------------------------------------------------------------------------

TEST(Learner, OnPolicyTheAsynchronousModeLearnsAsTheSynchronousOne) {
  Config lagging = SmallConfig();
  lagging.mutable_ppo()->set_max_policy_lag(4);
  Bench sync(SmallConfig(), Spec(), MixedWithoutMask), async(lagging, Spec(), MixedWithoutMask);
  sync.Update();
  async.Update();
  EXPECT_LT((sync.learner.nets().parameters() - async.learner.nets().parameters())
                .abs()
                .max()
                .item<double>(),
            1e-5);
}

TEST(Learner, LagIsReported) {
  Config config = SmallConfig();
  config.mutable_ppo()->set_max_policy_lag(4);
  Bench bench(config, Spec(), MixedWithoutMask);
  const SharedBlob old = bench.RollOut();
  bench.Update();
  bench.Update();
  const SharedBlob fresh = bench.RollOut({16, 4, 4});
  const UpdateReport report = bench.learner.Update({old->view(), fresh->view()}, 1);
  EXPECT_EQ(report.metrics.Get("lag/min"), 0);
  EXPECT_EQ(report.metrics.Get("lag/max"), 2);
  EXPECT_DOUBLE_EQ(report.metrics.Get("lag/mean"), 1);
  EXPECT_EQ(report.version, 3);
}

TEST(Learner, GoesOnWithTheShardsThatAreLeft) {
  Bench bench(SmallConfig(), Spec(), MixedWithoutMask);
  const std::vector<SharedBlob> both = {bench.RollOut({16, 2, 0}), bench.RollOut({16, 2, 2})};
  bench.learner.Update(Views(both), 1);
  const at::Tensor before = bench.learner.nets().parameters().clone();
  const SharedBlob left = bench.RollOut({16, 2, 0});
  EXPECT_EQ(bench.learner.Update({left->view()}, 1).version, 2);
  EXPECT_FALSE(at::equal(before, bench.learner.nets().parameters()));
}

// --- Bytes that no shard wrote
// ------------------------------------------------------------------------

TEST(Learner, AnActionThatTheTaskDoesNotHaveIsAnErrorAndNothingIsLearned) {
  Bench bench(SmallConfig(), Spec(), MixedWithoutMask);
  const SharedBlob good = bench.RollOut();
  const std::string before = bench.learner.Save();
  const auto actions = BatchReader(good->view()).columns().action_indices;
  const size_t at = reinterpret_cast<const char*>(actions.data()) - good->view().data();
  for (const int32_t action : {-1, 4, 1 << 20, INT32_MAX}) {
    Blob damaged(good->view());
    std::memcpy(damaged.data() + at, &action, sizeof(action));
    EXPECT_THROW(bench.learner.Update({damaged.view()}, 1), Error);
    EXPECT_THROW(bench.learner.Update({good->view(), damaged.view()}, 1), Error);
  }
  EXPECT_EQ(bench.learner.Save(), before);
  bench.learner.Update({good->view()}, 1);
}

TEST(Learner, ABatchOfAnotherTaskOrNoneAtAllIsAnError) {
  Bench bench(SmallConfig(), Spec(), MixedWithoutMask);
  Bench other(SmallConfig(), ContinuousSpec(), MixedWithoutMask);
  const SharedBlob blob = other.RollOut();
  EXPECT_THROW(bench.learner.Update({blob->view()}, 1), Error);
  EXPECT_THROW(bench.learner.Update({}, 1), Error);
}

}  // namespace
}  // namespace dray
