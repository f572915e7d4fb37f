#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "src/base/error.h"
#include "src/nets/cpu_mlp.h"
#include "src/rollout/env_shard.h"
#include "tests/rollout/made_up_weights.h"
#include "tests/rollout/shopping_env.h"

namespace dray {
namespace {

constexpr int kSteps = 40;

Config SmallConfig() {
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_network()->add_hidden(8);
  return config;
}

EnvSpec Spec() { return ShoppingEnv({}, 1).spec(); }

EnvShard Shard(int first_env, int envs, int steps = kSteps) {
  return EnvShard(SmallConfig(), {.shard = 0, .first_env = first_env, .envs = envs}, steps,
                  MakeShoppingEnv);
}

std::string Weights(uint64_t seed) {
  return MadeUpWeights(Spec(), SmallConfig().network(), seed).ToBytes();
}

struct ReadRollout {
  explicit ReadRollout(Rollout made) : blob(std::move(made.batch)), batch(blob->view()) {}
  const BatchColumns<ConstSpan>& columns() const { return batch.columns(); }
  SharedBlob blob;
  BatchReader batch;
};

template <typename T>
std::vector<T> Copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

// What the rollout's policy would say of its actions from the written-out table of every state of
// environment `env`, with `counts` of what had joined before.
std::vector<float> LogProbsFromTables(const ReadRollout& rollout, const PolicyWeights& weights,
                                      int env, std::vector<float> counts) {
  const EnvSpec spec = Spec();
  const auto width = static_cast<size_t>(spec.bag.width);
  CpuMlp net(LayerSizes(spec, SmallConfig().network(), 2), SmallConfig().network().activation());
  std::vector<float> log_probs;
  const auto envs = static_cast<size_t>(rollout.batch.shape().envs);
  for (size_t t = 0; t < kSteps; ++t) {
    const size_t row = t * envs + static_cast<size_t>(env);
    if (t > 0 && rollout.columns().terminated[row - envs]) counts.assign(width, 0);
    const auto bag = rollout.columns().bags.subspan(row * 3, 3);
    if (bag[2] >= 0) counts[static_cast<size_t>(bag[2])] += 1;
    std::vector<float> input = counts;
    for (const int16_t own : bag.first(2)) input[static_cast<size_t>(own)] += 1;
    const auto numbers = rollout.columns().observations.subspan(row * 3, 3);
    input.insert(input.end(), numbers.begin(), numbers.end());
    const auto logits = net.Forward(weights.actor, {.rows = 1, .numbers = input});
    const auto action = static_cast<size_t>(rollout.columns().action_indices[row]);
    log_probs.push_back(-std::log1p(std::exp(logits[1 - action] - logits[action])));
  }
  return log_probs;
}

TEST(EnvShardBags, ActionsAreDrawnAsFromTheWrittenOutTable) {
  EnvShard shard = Shard(0, 3);
  std::vector<std::vector<float>> counts(3, std::vector<float>(3 * ShoppingEnv::kGoods));
  // The second rollout begins in mid-episode, by other weights.
  for (const uint64_t seed : {1, 2}) {
    const PolicyWeights weights = MadeUpWeights(Spec(), SmallConfig().network(), seed);
    const ReadRollout rollout(shard.Collect(weights.ToBytes()));
    EXPECT_EQ(rollout.batch.joined_before().empty(), seed == 1);
    for (const JoinedBefore& joined : rollout.batch.joined_before()) {
      for (const int16_t index : joined.indices) {
        if (index >= 0) counts[static_cast<size_t>(joined.env)][static_cast<size_t>(index)] += 1;
      }
    }
    for (int env = 0; env < 3; ++env) {
      const auto expected =
          LogProbsFromTables(rollout, weights, env, counts[static_cast<size_t>(env)]);
      for (size_t t = 0; t < kSteps; ++t) {
        ASSERT_NEAR(rollout.columns().log_probs[t * 3 + static_cast<size_t>(env)], expected[t],
                    1e-5)
            << "step " << t << " of environment " << env;
      }
    }
  }
}

TEST(EnvShardBags, TwoRolloutsAreOneOfTwiceTheLength) {
  EnvShard in_two = Shard(0, 3), in_one = Shard(0, 3, 2 * kSteps);
  const ReadRollout first(in_two.Collect(Weights(1))), second(in_two.Collect(Weights(1)));
  const ReadRollout whole(in_one.Collect(Weights(1)));
  const auto joined = [](auto a, auto b) {
    auto all = Copy(a);
    all.insert(all.end(), b.begin(), b.end());
    return all;
  };
  EXPECT_EQ(joined(first.columns().log_probs, second.columns().log_probs),
            Copy(whole.columns().log_probs));
  EXPECT_EQ(joined(first.columns().bags.first(kSteps * 3 * 3), second.columns().bags),
            Copy(whole.columns().bags));
}

TEST(EnvShardBags, ASavedShardGoesOnAsTheOriginal) {
  EnvShard original = Shard(6, 3), copy = Shard(6, 3);
  original.Collect(Weights(1));
  copy.Load(original.Save());
  const ReadRollout a(original.Collect(Weights(2))), b(copy.Collect(Weights(2)));
  EXPECT_EQ(Copy(a.columns().log_probs), Copy(b.columns().log_probs));
  EXPECT_EQ(Copy(a.columns().bags), Copy(b.columns().bags));
  EXPECT_EQ(original.Save(), copy.Save());
}

TEST(EnvShardBags, TheLayoutOfShardsDoesNotChangeABit) {
  EnvShard together = Shard(0, 5);
  const ReadRollout whole(together.Collect(Weights(1)));
  for (const auto& [first, count] : {std::pair{0, 1}, {1, 3}, {4, 1}}) {
    EnvShard shard = Shard(first, count);
    const ReadRollout part(shard.Collect(Weights(1)));
    for (int t = 0; t < kSteps; ++t) {
      for (int e = 0; e < count; ++e) {
        ASSERT_EQ(part.columns().log_probs[static_cast<size_t>(t * count + e)],
                  whole.columns().log_probs[static_cast<size_t>(t * 5 + first + e)]);
      }
    }
  }
}

// A saved shard ends with the bags of the present states, what joined each before (a count of 8
// bytes and its indices), and the discounted returns (a count and 4 bytes each).
TEST(EnvShardBags, ASavedIndexOutsideTheTableIsAnError) {
  EnvShard shard = Shard(0, 1);
  shard.Collect(Weights(1));
  const std::string saved = shard.Save();
  int joined = 0;
  for (const int16_t index : {int16_t{3 * ShoppingEnv::kGoods}, int16_t{INT16_MAX}, int16_t{-2}}) {
    for (size_t at = saved.size() - 40; at + sizeof(index) <= saved.size() - 12; at += 2) {
      std::string damaged = saved;
      std::memcpy(damaged.data() + at, &index, sizeof(index));
      EnvShard other = Shard(0, 1);
      try {
        other.Load(damaged);
      } catch (const Error&) {
        ++joined;
        other.Collect(Weights(1));  // as if nothing had been loaded
        continue;
      }
      other.Collect(Weights(1));  // what was taken can be acted on
    }
  }
  EXPECT_GE(joined, 9);
}

}  // namespace
}  // namespace dray
