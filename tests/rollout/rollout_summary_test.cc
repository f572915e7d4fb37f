#include "src/rollout/rollout_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RolloutSummary Made() {
  RolloutSummary summary;
  summary.origin = {.policy_version = 12, .shard = 4, .first_env = 64};
  summary.steps = 6;
  summary.weights_loaded_unix_s = 1.5;
  summary.episodes = {{1, 5, -2.5, {1, 2}}, {0, 7, 3.5, {}}};
  summary.side_samples = std::string("seen\0too", 8);
  summary.metrics.Record("time/oracle_s", 0.125);
  summary.metrics.Record("rollout/stat/calls", 3);
  return summary;
}

TEST(RolloutSummary, ComesBackAsWritten) {
  const RolloutSummary read = RolloutSummary::FromBytes(Made().ToBytes());
  EXPECT_EQ(read.origin.policy_version, 12);
  EXPECT_EQ(read.origin.shard, 4);
  EXPECT_EQ(read.origin.first_env, 64);
  EXPECT_EQ(read.steps, 6);
  EXPECT_EQ(read.weights_loaded_unix_s, 1.5);
  ASSERT_EQ(read.episodes.size(), 2u);
  EXPECT_EQ(read.episodes[0].env, 1);
  EXPECT_EQ(read.episodes[0].length, 5);
  EXPECT_EQ(read.episodes[0].total_reward, -2.5);
  EXPECT_THAT(read.episodes[0].stats, ElementsAre(1, 2));
  EXPECT_THAT(read.episodes[1].stats, IsEmpty());
  EXPECT_EQ(read.side_samples, std::string("seen\0too", 8));
  EXPECT_EQ(read.metrics.values, Made().metrics.values);
}

TEST(RolloutSummary, EveryTruncationIsAnError) {
  const std::string bytes = Made().ToBytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(RolloutSummary::FromBytes(bytes.substr(0, size)), Error) << size;
  }
  EXPECT_THROW(RolloutSummary::FromBytes(bytes + "x"), Error);
}

TEST(RolloutSummary, OfEnvironmentsOrNumbersThatTheRunDoesNotHaveIsAnError) {
  EnvSpec spec;
  spec.episode_stats = {"cost", "riders"};
  spec.rollout_stats = {{.name = "calls"}};
  RolloutSummary good = Made();
  good.episodes.pop_back();
  EXPECT_NO_THROW(good.ExpectOf(spec, /*shards=*/5, /*envs=*/66));
  EXPECT_THROW(Made().ExpectOf(spec, 5, 66), Error);  // an episode without its statistics
  EXPECT_THROW(good.ExpectOf(spec, 4, 66), Error);
  EXPECT_THROW(good.ExpectOf(spec, 5, 65), Error);
  const auto expect_error = [&](auto change) {
    RolloutSummary damaged = good;
    change(damaged);
    EXPECT_THROW(damaged.ExpectOf(spec, 5, 66), Error);
  };
  expect_error([](RolloutSummary& s) { s.origin.shard = -1; });
  expect_error([](RolloutSummary& s) { s.origin.first_env = INT32_MAX; });
  expect_error([](RolloutSummary& s) { s.origin.policy_version = INT64_MIN; });
  expect_error([](RolloutSummary& s) { s.steps = INT64_MAX; });
  expect_error([](RolloutSummary& s) { s.episodes[0].env = -1; });
  expect_error([](RolloutSummary& s) { s.episodes[0].length = -1; });
  expect_error([](RolloutSummary& s) { s.metrics.values.emplace_back("time/no_such_s", 1); });
  expect_error([](RolloutSummary& s) { s.metrics.values.emplace_back("rollout/stat/other", 1); });
  expect_error([](RolloutSummary& s) { s.metrics.values.emplace_back("epoch", 1e300); });
}

}  // namespace
}  // namespace dray
