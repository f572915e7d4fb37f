#include "src/learn/advantages.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/rng.h"

namespace dray {
namespace {

// A trajectory whose columns own their memory.
struct Columns {
  int steps, envs;
  std::vector<float> rewards, values, next_values;
  std::vector<uint8_t> terminated, truncated;

  Trajectories View() const {
    return {steps, envs, rewards, values, next_values, terminated, truncated};
  }
};

void ExpectNear(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-6) << "at " << i;
}

Columns Golden() {
  return {6,
          1,
          {1, 2, -1, .5, 0, 3},
          {.5, .4, .3, .2, .1, .9},
          {.4, 123, .2, .7, .9, .6},  // 123: the value after a terminated step must not matter
          {0, 1, 0, 0, 0, 0},
          {0, 0, 0, 1, 0, 0}};
}

Columns Random(int steps, int envs, uint64_t seed) {
  Rng rng(seed, RngPurpose::kTest, 0);
  const int size = steps * envs;
  Columns c{steps, envs, {}, {}, {}, {}, {}};
  for (int i = 0; i < size; ++i) {
    c.rewards.push_back(static_cast<float>(rng.Normal()));
    c.values.push_back(static_cast<float>(rng.Normal()));
    c.terminated.push_back(rng.Uniform() < 0.1);
    c.truncated.push_back(rng.Uniform() < 0.1);
  }
  for (int i = 0; i < size; ++i) {
    const bool follows = i + envs < size && !c.truncated[i];
    c.next_values.push_back(follows ? c.values[i + envs] : static_cast<float>(rng.Normal()));
  }
  return c;
}

TEST(Gae, DoesNotDependOnTheTeam) {
  const Columns c = Random(70, 1000, 5);
  ThreadTeam team(3);
  const Targets alone = Gae(c.View(), 0.99f, 0.95f), together = Gae(c.View(), 0.99f, 0.95f, team);
  EXPECT_EQ(together.advantages, alone.advantages);
  EXPECT_EQ(together.returns, alone.returns);
}

TEST(Gae, GivesTheGoldenNumbers) {
  const Columns c = Golden();
  const Targets targets = Gae(c.View(), 0.99f, 0.95f);
  ExpectNear(targets.advantages, {2.4008, 1.6, -0.168083, 0.993, 3.324707, 2.694});
  ExpectNear(targets.returns, {2.9008, 2.0, 0.131917, 1.193, 3.424707, 3.594});
}

TEST(Gae, AStepBothTerminatedAndTruncatedDoesNotBootstrap) {
  const Columns c{1, 1, {1}, {.5}, {100}, {1}, {1}};
  ExpectNear(Gae(c.View(), 0.99f, 0.95f).advantages, {0.5});
}

TEST(Gae, EnvironmentsSideBySideDoNotMix) {
  const Columns one = Random(20, 1, 1), other = Random(20, 1, 2);
  Columns both{20, 2, {}, {}, {}, {}, {}};
  for (int t = 0; t < 20; ++t) {
    for (const Columns* c : {&one, &other}) {
      both.rewards.push_back(c->rewards[t]);
      both.values.push_back(c->values[t]);
      both.next_values.push_back(c->next_values[t]);
      both.terminated.push_back(c->terminated[t]);
      both.truncated.push_back(c->truncated[t]);
    }
  }
  const Targets joined = Gae(both.View(), 0.9f, 0.8f);
  const Targets alone = Gae(other.View(), 0.9f, 0.8f);
  for (int t = 0; t < 20; ++t) EXPECT_EQ(joined.advantages[2 * t + 1], alone.advantages[t]);
}

TEST(Gae, WithLambdaOneTheReturnIsTheDiscountedSum) {
  const Columns c{3, 1, {1, 2, 3}, {9, 8, 7}, {8, 7, 10}, {0, 0, 0}, {0, 0, 0}};
  ExpectNear(Gae(c.View(), 0.5f, 1.0f).returns,
             {1 + .5 * (2 + .5 * (3 + .5 * 10)), 2 + .5 * (3 + 5), 8});
}

TEST(VTrace, GivesTheGoldenNumbers) {
  const Columns c{4,           1, {1, 0, 2, -1}, {.5, .2, .1, .4}, {.2, .1, .4, .3}, {0, 0, 1, 0},
                  {0, 0, 0, 0}};
  const std::vector<float> log_ratios = {.5, -.3, .2, 0};
  const VTraceTargets targets = VTrace(c.View(), log_ratios, {.9f, 1, 1, 1});
  ExpectNear(targets.vs, {2.246778, 1.385309, 2.0, -0.73});
  ExpectNear(targets.pg_advantages, {1.746778, 1.185309, 1.9, -1.13});
}

TEST(VTrace, OnPolicyItIsTheReturnOfTheTrajectory) {
  const Columns c{3, 1, {1, 2, 3}, {9, 8, 7}, {8, 7, 10}, {0, 0, 0}, {0, 0, 0}};
  const VTraceTargets targets = VTrace(c.View(), std::vector<float>(3, 0), {.5f, 1, 1, 1});
  ExpectNear(targets.vs, {1 + .5 * (2 + .5 * (3 + .5 * 10)), 2 + .5 * (3 + 5), 8});
}

TEST(VTrace, OnPolicyWithLambdaItIsGae) {
  const Columns c = Random(50, 3, 7);
  const Targets gae = Gae(c.View(), 0.97f, 0.9f);
  const VTraceTargets targets = VTrace(c.View(), std::vector<float>(150, 0), {0.97f, 0.9f, 1, 1});
  for (size_t i = 0; i < 150; ++i) {
    EXPECT_NEAR(targets.vs[i], gae.returns[i], 1e-5);
    EXPECT_NEAR(targets.vs[i] - c.values[i], gae.advantages[i], 1e-5);
  }
}

TEST(VTrace, ATruncatedStepBootstrapsFromItsFinalObservationAndCutsTheTrace) {
  Columns c{2, 1, {1, 5}, {.5, .4}, {.7, .6}, {0, 0}, {1, 0}};
  const VTraceTargets targets = VTrace(c.View(), std::vector<float>(2, 0), {.9f, 1, 1, 1});
  EXPECT_NEAR(targets.vs[0], 1 + .9 * .7, 1e-6);
  EXPECT_NEAR(targets.pg_advantages[0], 1 + .9 * .7 - .5, 1e-6);
}

TEST(VTrace, RatiosAreCapped) {
  const Columns c{1, 1, {1}, {0}, {0}, {0}, {0}};
  EXPECT_NEAR(VTrace(c.View(), std::vector<float>{3}, {.9f, 1, 1, 1}).vs[0], 1, 1e-6);
  EXPECT_NEAR(VTrace(c.View(), std::vector<float>{3}, {.9f, 1, 2, 1}).vs[0], 2, 1e-6);
  EXPECT_NEAR(VTrace(c.View(), std::vector<float>{-1}, {.9f, 1, 1, 1}).vs[0], std::exp(-1.0), 1e-6);
}

TEST(VTrace, ThePolicyGradientAdvantageHasACapOfItsOwn) {
  const Columns c{1, 1, {1}, {0}, {0}, {0}, {0}};
  VTraceSettings settings;
  settings.rho_bar_pg = 2;
  const VTraceTargets targets = VTrace(c.View(), std::vector<float>{3}, settings);
  EXPECT_NEAR(targets.vs[0], 1, 1e-6);
  EXPECT_NEAR(targets.pg_advantages[0], 2, 1e-6);
}

}  // namespace
}  // namespace dray
