#include <gtest/gtest.h>

#include <cstring>

#include "src/base/error.h"
#include "src/learn/learner.h"
#include "tests/learn/synthetic_rollouts.h"

namespace dray {
namespace {

constexpr size_t kWord = sizeof(int64_t);

EnvSpec Spec() {
  EnvSpec spec;
  spec.observation_size = 3;
  spec.actions = ActionSpace::Discrete(4);
  return spec;
}

// With everything that a state may hold: running statistics, and an optimiser for each network.
Config FullConfig() {
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_ppo()->set_minibatch_size(16);
  config.mutable_ppo()->set_value_epochs(6);
  config.mutable_normalize()->set_observations(true);
  config.mutable_normalize()->set_rewards(true);
  return config;
}

struct Trained {
  explicit Trained(int updates) : learner(FullConfig(), Spec(), at::kCPU) {
    for (int i = 0; i < updates; ++i) Update();
  }

  void Update() {
    const SharedBlob blob =
        Roll(Spec(), FullConfig().network(), learner.Publish(), {}, [](int step, int env) {
          Rng rng(9, RngPurpose::kTest, 100 * step + env);
          SyntheticStep made;
          for (int i = 0; i < 3; ++i) made.observation.push_back(rng.Normal());
          made.reward = rng.Normal();
          return made;
        });
    learner.Update({blob->view()}, 1);
  }

  Learner learner;
};

// Whether the learner took the state; if not, it is as it was.
bool Loads(Learner& learner, const std::string& state) {
  const std::string saved = learner.Save(), published = learner.Publish();
  try {
    learner.Load(state);
    return true;
  } catch (const Error&) {
    EXPECT_EQ(learner.Save(), saved);
    EXPECT_EQ(learner.Publish(), published);
    return false;
  }
}

TEST(LearnerState, APartOfAStateIsAnErrorAndChangesNothing) {
  Trained one(1), three(3);
  const std::string state = three.learner.Save();
  ASSERT_GT(state.size(), 100 * kWord);
  for (size_t size = 0; size < state.size(); ++size) {
    EXPECT_FALSE(Loads(one.learner, state.substr(0, size))) << size << " bytes";
  }
  EXPECT_FALSE(Loads(one.learner, state + "x"));
  EXPECT_TRUE(Loads(one.learner, state));
  EXPECT_EQ(one.learner.Save(), state);
}

TEST(LearnerState, ADamagedWordIsAnErrorThatChangesNothingOrANumber) {
  Trained one(1), three(3);
  const std::string before = one.learner.Save(), state = three.learner.Save();
  int rejected = 0;
  for (size_t at = 0; at < state.size(); ++at) {
    std::string damaged = state;
    std::memset(damaged.data() + at, 0xff, std::min(kWord, state.size() - at));
    if (Loads(one.learner, damaged)) {
      one.learner.Load(before);
    } else {
      ++rejected;
    }
  }
  // Format, two counters, five sizes of networks and optimisers, two counts of steps, two counts
  // and four sizes of statistics, the rate factor: each fails in at least one of its bytes.
  EXPECT_GE(rejected, 17);
}

TEST(LearnerState, CountersThatCannotBeAreAnErrorAndChangeNothing) {
  Trained one(1);
  const std::string state = one.learner.Save();
  for (const size_t at : {size_t{0}, kWord, 2 * kWord}) {  // format, version, updates
    for (const int64_t count : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
      std::string damaged = state;
      std::memcpy(damaged.data() + at, &count, kWord);
      EXPECT_FALSE(Loads(one.learner, damaged)) << count << " at " << at;
    }
  }
}

TEST(LearnerState, AnotherRunsPolicyThatIsDamagedChangesNothing) {
  Trained one(1), three(3);
  const std::string before = one.learner.Save(), state = three.learner.Save();
  for (size_t size = 0; size < state.size(); size += 5) {
    EXPECT_THROW(one.learner.StartFrom(state.substr(0, size)), Error);
    ASSERT_EQ(one.learner.Save(), before) << size << " bytes";
  }
  one.learner.StartFrom(state);
  EXPECT_EQ(one.learner.version(), 1);
  EXPECT_NE(one.learner.Save(), before);
}

// States of format 1 begin with the policy's version, and end with the rate factor unless it is 1.
TEST(LearnerState, StatesOfTheFirstFormatAreStillRead) {
  Trained one(1), three(3);
  const std::string state = three.learner.Save();
  const std::string without_format = state.substr(kWord);
  const std::string without_rate = without_format.substr(0, without_format.size() - kWord);
  for (const std::string& old : {without_format, without_rate}) {
    one.learner.Load(old);
    EXPECT_EQ(one.learner.Save(), state);
    Trained fresh(0);
    fresh.learner.Load(old);
    EXPECT_EQ(fresh.learner.Save(), state);
  }
  for (size_t size = 0; size < without_rate.size(); ++size) {
    EXPECT_FALSE(Loads(one.learner, without_rate.substr(0, size))) << size << " bytes";
  }
}

TEST(LearnerState, AfterARejectedStateTrainingGoesOnAsIfNothingHadHappened) {
  Trained disturbed(2), quiet(2), other(3);
  const std::string state = other.learner.Save();
  EXPECT_THROW(disturbed.learner.Load(state.substr(0, state.size() - 1)), Error);
  disturbed.Update();
  quiet.Update();
  EXPECT_EQ(disturbed.learner.Save(), quiet.learner.Save());
}

}  // namespace
}  // namespace dray
