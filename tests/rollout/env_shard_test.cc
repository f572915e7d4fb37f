#include "src/rollout/env_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/env/vec_env.h"
#include "src/envs/cartpole/cartpole.h"
#include "src/envs/pendulum/pendulum.pb.h"
#include "tests/rollout/made_up_weights.h"

namespace dray {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Pointwise;

Config ConfigFor(const std::string& env) {
  Config config;
  config.mutable_env()->set_name(env);
  config.mutable_network()->add_hidden(8);
  return config;
}

// Episodes of 4 steps, all of them cut by the clock.
Config ShortPendulum() {
  Config config = ConfigFor("pendulum");
  config.mutable_env()->MutableExtension(pendulum)->set_max_steps(4);
  return config;
}

// A batch in memory that stays.
struct ReadRollout {
  explicit ReadRollout(Rollout made) : rollout(std::move(made)), batch(rollout.batch->view()) {}
  const BatchColumns<ConstSpan>& columns() const { return batch.columns(); }
  const std::vector<Episode>& episodes() const { return rollout.summary.episodes; }
  Rollout rollout;
  BatchReader batch;
};

template <typename T>
std::vector<T> Joined(std::span<const T> first, std::span<const T> second) {
  std::vector<T> joined(first.begin(), first.end());
  joined.insert(joined.end(), second.begin(), second.end());
  return joined;
}
template <typename T>
std::vector<T> Copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}
// Those of environments [first, first + count) from a column [rows, envs, width].
template <typename T>
std::vector<T> OfEnvs(std::span<const T> column, int envs, int first, int count, int width = 1) {
  std::vector<T> values;
  for (size_t row = 0; row < column.size() / (envs * width); ++row) {
    const auto part = column.subspan((row * envs + first) * width, count * width);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

void ExpectSameColumns(const ReadRollout& a, const ReadRollout& b) {
  EXPECT_EQ(Copy(a.columns().observations), Copy(b.columns().observations));
  EXPECT_EQ(Copy(a.columns().action_indices), Copy(b.columns().action_indices));
  EXPECT_EQ(Copy(a.columns().action_values), Copy(b.columns().action_values));
  EXPECT_EQ(Copy(a.columns().log_probs), Copy(b.columns().log_probs));
  EXPECT_EQ(Copy(a.columns().rewards), Copy(b.columns().rewards));
  EXPECT_EQ(Copy(a.columns().discounted_returns), Copy(b.columns().discounted_returns));
  EXPECT_EQ(Copy(a.columns().terminated), Copy(b.columns().terminated));
  EXPECT_EQ(Copy(a.columns().truncated), Copy(b.columns().truncated));
}

class EveryAction : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EnvShard, EveryAction, testing::Values("cartpole", "pendulum"));

TEST_P(EveryAction, TwoRolloutsAreOneOfTwiceTheLength) {
  const Config config = ConfigFor(GetParam());
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  EnvShard in_two(config, {.shard = 0, .first_env = 0, .envs = 3}, /*rollout_steps=*/150);
  EnvShard in_one(config, {.shard = 0, .first_env = 0, .envs = 3}, /*rollout_steps=*/300);
  const ReadRollout first(in_two.Collect(weights)), second(in_two.Collect(weights));
  const ReadRollout whole(in_one.Collect(weights));
  const auto& a = first.columns();
  const auto& b = second.columns();
  const auto& all = whole.columns();
  const size_t row = a.observations.size() / (150 + 1);
  // The second starts at the very observations at which the first ended.
  EXPECT_EQ(Copy(a.observations.last(row)), Copy(b.observations.first(row)));
  EXPECT_EQ(Joined(a.observations.first(150 * row), b.observations), Copy(all.observations));
  EXPECT_EQ(Joined(a.action_indices, b.action_indices), Copy(all.action_indices));
  EXPECT_EQ(Joined(a.action_values, b.action_values), Copy(all.action_values));
  EXPECT_EQ(Joined(a.log_probs, b.log_probs), Copy(all.log_probs));
  EXPECT_EQ(Joined(a.rewards, b.rewards), Copy(all.rewards));
  EXPECT_EQ(Joined(a.discounted_returns, b.discounted_returns), Copy(all.discounted_returns));
  EXPECT_EQ(Joined(a.terminated, b.terminated), Copy(all.terminated));
  EXPECT_EQ(Joined(a.truncated, b.truncated), Copy(all.truncated));
  EXPECT_EQ(first.episodes().size() + second.episodes().size(), whole.episodes().size());
  EXPECT_GT(whole.episodes().size(), 0u);
}

TEST_P(EveryAction, ASavedShardGoesOnAsTheOriginal) {
  const Config config = ConfigFor(GetParam());
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  const ShardPlace place{.shard = 2, .first_env = 6, .envs = 3};
  EnvShard original(config, place, /*rollout_steps=*/50), copy(config, place, /*rollout_steps=*/50);
  original.Collect(weights);
  copy.Load(original.Save());
  const ReadRollout a(original.Collect(weights)), b(copy.Collect(weights));
  ExpectSameColumns(a, b);
  EXPECT_EQ(a.episodes().size(), b.episodes().size());
  EXPECT_EQ(original.Save(), copy.Save());
}

TEST_P(EveryAction, TheBatchIsWhatTheEnvironmentsDid) {
  const Config config = ConfigFor(GetParam());
  EnvShard shard(config, {.shard = 0, .first_env = 4, .envs = 2}, /*rollout_steps=*/250);
  const ReadRollout rollout(shard.Collect(MadeUpWeights(config, 1).ToBytes()));
  const auto& columns = rollout.columns();
  const auto env = MakeBatchEnv(
      config.env(), {config.train().seed(), RngPurpose::kEnvironment, /*first_index=*/4}, 2);
  const size_t width = 2 * env->spec().observation_size;
  std::vector<float> observations(width), rewards(2), final_observations(width);
  std::vector<uint8_t> terminated(2), truncated(2);
  env->Reset(observations, {}, {});
  for (size_t t = 0; t < 250; ++t) {
    ASSERT_EQ(observations, Copy(columns.observations.subspan(t * width, width))) << t;
    Actions actions;
    if (!columns.action_indices.empty()) actions.indices = columns.action_indices.subspan(2 * t, 2);
    if (!columns.action_values.empty()) actions.values = columns.action_values.subspan(2 * t, 2);
    env->Step(actions, {observations, {}, rewards, terminated, truncated, final_observations});
    ASSERT_EQ(rewards, Copy(columns.rewards.subspan(2 * t, 2))) << t;
    ASSERT_EQ(terminated, Copy(columns.terminated.subspan(2 * t, 2))) << t;
    ASSERT_EQ(truncated, Copy(columns.truncated.subspan(2 * t, 2))) << t;
  }
}

TEST(EnvShard, TheLayoutOfShardsChangesRoundingAlone) {
  const Config config = ConfigFor("cartpole");
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  EnvShard together(config, {.shard = 0, .first_env = 0, .envs = 5}, /*rollout_steps=*/100);
  const ReadRollout whole(together.Collect(weights));
  int first = 0;
  for (const int count : {2, 3}) {
    EnvShard shard(config, {.shard = 7, .first_env = first, .envs = count}, /*rollout_steps=*/100);
    const ReadRollout part(shard.Collect(weights));
    const auto& all = whole.columns();
    EXPECT_EQ(Copy(part.columns().observations), OfEnvs(all.observations, 5, first, count, 4));
    EXPECT_EQ(Copy(part.columns().action_indices), OfEnvs(all.action_indices, 5, first, count));
    EXPECT_EQ(Copy(part.columns().rewards), OfEnvs(all.rewards, 5, first, count));
    EXPECT_EQ(Copy(part.columns().terminated), OfEnvs(all.terminated, 5, first, count));
    EXPECT_THAT(part.columns().log_probs,
                Pointwise(testing::FloatNear(1e-5f), OfEnvs(all.log_probs, 5, first, count)));
    EXPECT_EQ(part.batch.origin().shard, 7);
    EXPECT_EQ(part.batch.origin().first_env, first);
    first += count;
  }
}

TEST(EnvShard, ABatchSaysWhichPolicyActed) {
  const Config config = ConfigFor("cartpole");
  PolicyWeights weights = MadeUpWeights(config, 1);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 1}, /*rollout_steps=*/1);
  for (const int64_t version : {5, 9}) {
    weights.version = version;
    EXPECT_EQ(ReadRollout(shard.Collect(weights.ToBytes())).batch.origin().policy_version, version);
  }
}

TEST(EnvShard, ASummarySaysWhatTheRolloutWas) {
  const Config config = ShortPendulum();
  EnvShard shard(config, {.shard = 7, .first_env = 3, .envs = 2}, /*rollout_steps=*/6);
  const RolloutSummary summary = shard.Collect(MadeUpWeights(config, 1).ToBytes()).summary;
  EXPECT_EQ(summary.origin.shard, 7);
  EXPECT_EQ(summary.origin.first_env, 3);
  EXPECT_EQ(summary.steps, 12);
  EXPECT_EQ(summary.episodes.size(), 2u);
  EXPECT_GT(summary.weights_loaded_unix_s, 0);
  EXPECT_GT(summary.metrics.Get("time/shards_s"), 0);
  EXPECT_EQ(summary.metrics.Get("time/oracle_s"), 0);
  EXPECT_EQ(summary.metrics.Get("memory/oracle_splits"), 0);
}

TEST(EnvShard, EpisodesThatWereCutCarryTheirFinalObservation) {
  const Config config = ShortPendulum();
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 2}, /*rollout_steps=*/6);
  const ReadRollout rollout(shard.Collect(MadeUpWeights(config, 1).ToBytes()));
  EXPECT_EQ(Copy(rollout.columns().truncated),
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_THAT(rollout.columns().terminated, Each(0));
  const std::vector<CutEpisode>& cuts = rollout.batch.cuts();
  ASSERT_EQ(cuts.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cuts[i].sample, 3 * 2 + i);
    // Cosine and sine of an angle, near that of the step before; the next row is a new episode.
    const auto last = cuts[i].final_observation;
    const auto before = rollout.columns().observations.subspan((3 * 2 + i) * 3, 3);
    const auto after = rollout.columns().observations.subspan((4 * 2 + i) * 3, 3);
    EXPECT_NEAR(std::hypot(last[0], last[1]), 1, 1e-5);
    EXPECT_NEAR(std::atan2(last[1], last[0]), std::atan2(before[1], before[0]) + 0.05 * last[2],
                1e-4);
    EXPECT_NE(Copy(after), last);
  }
}

TEST(EnvShard, TheRunningReturnIsDiscountedAndStartsAnewWithEachEpisode) {
  Config config = ShortPendulum();
  config.mutable_ppo()->set_gamma(0.5);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 1}, /*rollout_steps=*/3);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  const ReadRollout first(shard.Collect(weights)), second(shard.Collect(weights));
  const std::vector<float> r = Joined(first.columns().rewards, second.columns().rewards);
  EXPECT_THAT(Joined(first.columns().discounted_returns, second.columns().discounted_returns),
              Pointwise(testing::FloatNear(1e-4f),
                        {r[0], r[1] + r[0] / 2, r[2] + r[1] / 2 + r[0] / 4,
                         r[3] + r[2] / 2 + r[1] / 4 + r[0] / 8, r[4], r[5] + r[4] / 2}));
}

TEST(EnvShard, ContinuousActionsAreStoredAsDrawnWithTheirDensity) {
  const Config config = ConfigFor("pendulum");
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 2}, /*rollout_steps=*/100);
  const ReadRollout rollout(shard.Collect(weights));
  const auto& columns = rollout.columns();
  EXPECT_THAT(columns.action_values, Contains(testing::Gt(2.0f)));  // beyond the box
  EXPECT_THAT(columns.action_values, Contains(testing::Lt(-2.0f)));
  Policy policy(SpecOf(config.env()), config.network());
  policy.Load(weights);
  const auto means = policy.Outputs(columns.observations.first(200 * 3));
  for (size_t i = 0; i < 200; ++i) {
    const double z = (columns.action_values[i] - means[i]) / std::exp(1.0);
    const double expected = -0.5 * z * z - 1.0 - 0.5 * std::log(2 * std::numbers::pi);
    EXPECT_NEAR(columns.log_probs[i], expected, 1e-4) << i;
  }
}

// Poles that keep a list of what they are told, and fail when the list says so.
class ToldPoles : public VecEnv {
 public:
  ToldPoles(std::vector<std::string>* told, std::vector<std::unique_ptr<Env>> envs)
      : VecEnv(std::move(envs), {}), told_(told) {}
  void OnRollout(const RolloutContext& context) override {
    told_->push_back(context.side_by_side ? "rollout side by side" : "rollout");
    if (told_->front() == "fail") throw Failure("as was asked for");
  }
  void OnRolloutEnd() override { told_->push_back("end"); }

 private:
  std::vector<std::string>* told_;
};

TEST(EnvShard, EnvironmentsAreToldOfTheEndAlsoOfARolloutThatFailed) {
  const Config config = ConfigFor("cartpole");
  std::vector<std::string> told;
  const auto make = [&](const EnvConfig&, const EnvStreams&, int) {
    std::vector<std::unique_ptr<Env>> envs;
    envs.push_back(std::make_unique<CartPole>(CartPoleConfig()));
    return std::make_unique<ToldPoles>(&told, std::move(envs));
  };
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 1}, /*rollout_steps=*/1, make);
  const std::string weights = MadeUpWeights(config, 1).ToBytes();
  shard.Collect(weights, {.side_model = "", .side_by_side = true});
  EXPECT_EQ(told, (std::vector<std::string>{"rollout side by side", "end"}));
  told = {"fail"};
  EXPECT_THROW(shard.Collect(weights), Error);
  EXPECT_EQ(told, (std::vector<std::string>{"fail", "rollout", "end"}));
}

// Poles that appraise action a of environment i in their n-th state as 100 n + 10 i + a.
class AppraisedPoles : public VecEnv {
 public:
  explicit AppraisedPoles(std::vector<std::unique_ptr<Env>> envs)
      : VecEnv(std::move(envs), {}), spec_(VecEnv::spec()) {
    spec_.appraises = true;
  }
  const EnvSpec& spec() const override { return spec_; }
  void Appraise(std::span<float> appraisals) override {
    for (size_t i = 0; i < appraisals.size(); ++i) {
      appraisals[i] = static_cast<float>(100 * states_ + 10 * (i / 2) + i % 2);
    }
    ++states_;
  }

 private:
  EnvSpec spec_;
  size_t states_ = 0;
};

TEST(EnvShard, ABatchHasTheAppraisalsOfTheStatesThatWereActedIn) {
  const Config config = ConfigFor("cartpole");
  const auto make = [](const EnvConfig&, const EnvStreams&, int count) {
    std::vector<std::unique_ptr<Env>> envs;
    for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<CartPole>(CartPoleConfig()));
    return std::make_unique<AppraisedPoles>(std::move(envs));
  };
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 2}, /*rollout_steps=*/3, make);
  const ReadRollout rollout(shard.Collect(MadeUpWeights(config, 1).ToBytes()));
  EXPECT_THAT(rollout.columns().appraisals,
              testing::ElementsAre(0, 1, 10, 11, 100, 101, 110, 111, 200, 201, 210, 211));
}

TEST(EnvShard, WeightsOfAnotherNetworkAreAnError) {
  const Config config = ConfigFor("cartpole");
  Config wider = config;
  wider.mutable_network()->set_hidden(0, 9);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = 1}, /*rollout_steps=*/1);
  for (const Config& other : {wider, ConfigFor("pendulum")}) {
    try {
      shard.Collect(MadeUpWeights(other, 1).ToBytes());
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("these weights belong to another network"));
    }
  }
  EXPECT_THROW(shard.Collect("junk"), Error);
}

// Whether the shard took the state; if not, it is as it was.
bool Loads(EnvShard& shard, const std::string& state) {
  const std::string before = shard.Save();
  try {
    shard.Load(state);
    return true;
  } catch (const Error&) {
    EXPECT_EQ(shard.Save(), before);
    return false;
  }
}

// Two shards of the same environments: one at the start, the other after a rollout.
struct EarlyAndLate {
  explicit EarlyAndLate(const std::string& task)
      : config(ConfigFor(task)), early(config, kPlace, 7), late(config, kPlace, 7) {
    late.Collect(weights());
  }
  std::string weights() const { return MadeUpWeights(config, 1).ToBytes(); }

  static constexpr ShardPlace kPlace{.shard = 0, .first_env = 0, .envs = 2};
  Config config;
  EnvShard early, late;
};

TEST(EnvShard, TheStateOfAnotherShardOrAPartOfOneIsAnErrorAndChangesNothing) {
  for (const std::string task : {"cartpole", "pendulum"}) {
    EarlyAndLate shards(task);
    EnvShard three(shards.config, {.shard = 1, .first_env = 0, .envs = 3}, /*rollout_steps=*/1);
    EXPECT_FALSE(Loads(shards.early, three.Save()));
    const std::string state = shards.late.Save();
    ASSERT_NE(state, shards.early.Save());
    for (size_t size = 0; size < state.size(); ++size) {
      EXPECT_FALSE(Loads(shards.early, state.substr(0, size))) << size << " bytes";
    }
    EXPECT_FALSE(Loads(shards.early, state + "x"));
    EXPECT_TRUE(Loads(shards.early, state));
    EXPECT_EQ(shards.early.Save(), state);
  }
}

TEST(EnvShard, ADamagedWordIsAnErrorThatChangesNothingOrANumber) {
  EarlyAndLate shards("cartpole");
  const std::string before = shards.early.Save(), state = shards.late.Save();
  int rejected = 0;
  for (size_t at = 0; at < state.size(); ++at) {
    std::string damaged = state;
    for (size_t i = at; i < std::min(at + 8, state.size()); ++i) damaged[i] = '\xff';
    if (Loads(shards.early, damaged)) {
      shards.early.Load(before);
    } else {
      ++rejected;
    }
  }
  EXPECT_GE(rejected, 8);  // every size of a column, and numbers that are not finite
}

TEST(EnvShard, AfterARejectedStateTheNextRolloutIsAsIfNothingHadHappened) {
  EarlyAndLate shards("pendulum");
  EnvShard quiet(shards.config, EarlyAndLate::kPlace, 7);
  const std::string state = shards.late.Save();
  EXPECT_THROW(shards.early.Load(state.substr(0, state.size() - 1)), Error);
  const ReadRollout disturbed(shards.early.Collect(shards.weights()));
  const ReadRollout undisturbed(quiet.Collect(shards.weights()));
  EXPECT_EQ(Copy(disturbed.columns().observations), Copy(undisturbed.columns().observations));
  EXPECT_EQ(Copy(disturbed.columns().action_values), Copy(undisturbed.columns().action_values));
  EXPECT_EQ(shards.early.Save(), quiet.Save());
}

}  // namespace
}  // namespace dray
