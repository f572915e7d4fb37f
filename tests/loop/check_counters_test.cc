#include "src/loop/check_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "src/base/bytes.h"
#include "src/base/error.h"

namespace dray {
namespace {

using testing::HasSubstr;

constexpr int kUpdateInterval = 4;
constexpr int64_t kSamplesPerEpoch = 256;

// A run of 42 epochs whose learner was replaced once.
struct Saved {
  Saved() {
    counters.epochs = checkpoint.epoch = 42;
    counters.updates = 11;
    counters.policy_version = learner_version = 12;
    counters.total_steps = 42 * kSamplesPerEpoch;
    counters.completed_episodes = 300;
    counters.batches_lost = 4;
    counters.actors_restarted = 1;
    checkpoint.elapsed_s = 12.5;
    checkpoint.best_epoch = 40;
  }

  std::string Error() const {
    Checkpoint whole = checkpoint;
    ByteWriter learner;
    learner.Put(learner_version);
    learner.Put(learner_updates);
    whole.learner = learner.Take() + "networks";
    RunPlan plan;
    plan.samples_per_epoch = kSamplesPerEpoch;
    try {
      CheckCounters(counters, whole, kUpdateInterval, plan);
      return "";
    } catch (const dray::Error& error) {
      EXPECT_EQ(error.exit_code(), 1);
      return error.what();
    }
  }

  LoopCounters counters;
  Checkpoint checkpoint;
  int64_t learner_version = 0;
  int64_t learner_updates = 9;
};

TEST(CheckCounters, CountersOfARunAgree) {
  EXPECT_EQ(Saved().Error(), "");
  Saved fresh;
  fresh.counters = {};
  fresh.checkpoint = {};
  fresh.learner_version = fresh.learner_updates = 0;
  EXPECT_EQ(fresh.Error(), "");
}

// Those that nothing else depends on, as long as they are possible.
bool IsFree(size_t offset) {
  return offset == offsetof(LoopCounters, completed_episodes) ||
         offset == offsetof(LoopCounters, total_steps) ||
         offset == offsetof(LoopCounters, batches_dropped) ||
         offset == offsetof(LoopCounters, batches_lost) ||
         offset == offsetof(LoopCounters, actors_restarted) ||
         offset >= offsetof(LoopCounters, batches_collected);
}

TEST(CheckCounters, AFlippedBitIsNoticedWhereTheRunDependsOnIt) {
  for (size_t bit = 0; bit < 8 * sizeof(LoopCounters); ++bit) {
    Saved saved;
    reinterpret_cast<unsigned char*>(&saved.counters)[bit / 8] ^= 1u << (bit % 8);
    const size_t offset = bit / 64 * 8;
    const bool possible = bit % 64 < 54;
    if (IsFree(offset) && possible) continue;
    if (saved.counters.goal_reached == 1) continue;
    EXPECT_THAT(saved.Error(), HasSubstr("its counters do not agree")) << "bit " << bit;
  }
}

TEST(CheckCounters, TheLineSaysWhatDoesNotAgree) {
  Saved saved;
  saved.counters.policy_version = 1000;
  EXPECT_EQ(saved.Error(),
            "its counters do not agree: policy version 1000 in the loop, 12 in the learner");
  saved = Saved();
  saved.counters.epochs = -5;
  EXPECT_EQ(saved.Error(), "its counters do not agree: one of them is -5");
  saved = Saved();
  saved.counters.updates = 10;
  EXPECT_EQ(saved.Error(),
            "its counters do not agree: 10 updates after 42 epochs, with ppo.update_interval 4");
  saved = Saved();
  saved.counters.policy_version = saved.learner_version = 10;
  EXPECT_EQ(saved.Error(), "its counters do not agree: policy version 10 after 11 updates");
  saved = Saved();
  saved.learner_updates = 12;
  EXPECT_EQ(saved.Error(), "its counters do not agree: the learner made 12 of 11 updates");
  saved = Saved();
  saved.counters.updates_undone = 12;
  EXPECT_EQ(saved.Error(), "its counters do not agree: 12 of 11 updates undone");
  saved = Saved();
  saved.checkpoint.epoch = 41;
  EXPECT_EQ(saved.Error(), "its counters do not agree: 42 epochs in the checkpoint of epoch 41");
  saved = Saved();
  saved.counters.total_steps *= 3;
  EXPECT_EQ(saved.Error(), "its counters do not agree: 32256 steps in 42 epochs of 256");
  saved = Saved();
  saved.counters.completed_episodes = saved.counters.total_steps + 1;
  EXPECT_EQ(saved.Error(), "its counters do not agree: 10753 episodes in 10752 steps");
  saved = Saved();
  saved.checkpoint.elapsed_s = std::nan("");
  EXPECT_THAT(saved.Error(), HasSubstr("trained for"));
  saved = Saved();
  saved.checkpoint.best_epoch = 43;
  EXPECT_EQ(saved.Error(), "its counters do not agree: the best evaluation at epoch 43 of 42");
}

}  // namespace
}  // namespace dray
