#include "src/env/step_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Two environments with three numbers and two actions each, all of them sane.
struct Step {
  std::vector<float> observations = {0, 1, -2, 3, 4, 5};
  std::vector<uint8_t> masks = {1, 0, 0, 1};
  std::vector<float> rewards = {-1, 2};
  std::vector<uint8_t> terminated = {0, 0}, truncated = {0, 0};
  std::vector<float> final_observations = {0, 0, 0, 0, 0, 0};

  std::string Complaint() {
    EnvSpec spec;
    spec.name = "shop";
    spec.observation_size = 3;
    spec.actions = ActionSpace::Discrete(2);
    spec.masked = true;
    try {
      CheckStep(spec, {observations, masks, rewards, terminated, truncated, final_observations, {}},
                /*first_env=*/10, /*step=*/7);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(StepCheck, LetsSaneNumbersPass) {
  Step step;
  step.rewards = {-kMostMagnitude, std::numeric_limits<float>::denorm_min()};
  EXPECT_EQ(step.Complaint(), "");
}

TEST(StepCheck, NamesTheEnvironmentAndTheStepOfARewardThatIsNoNumber) {
  Step step;
  step.rewards[1] = kNan;
  EXPECT_THAT(step.Complaint(), HasSubstr("environment 11 of shop, step 7: reward is nan"));
}

TEST(StepCheck, NamesTheFieldOfAnObservationThatIsInfiniteOrAbsurd) {
  for (const float bad : {kInfinity, -kInfinity, 1e13f, -1e13f}) {
    Step step;
    step.observations[4] = bad;
    EXPECT_THAT(step.Complaint(),
                AllOf(HasSubstr("environment 11"), HasSubstr("observation[1] is")));
  }
}

TEST(StepCheck, LooksAtFinalObservationsOfEpisodesThatEndedAlone) {
  Step step;
  step.final_observations[2] = kNan;
  EXPECT_EQ(step.Complaint(), "");
  step.truncated[0] = 1;
  EXPECT_THAT(step.Complaint(),
              AllOf(HasSubstr("environment 10"), HasSubstr("final observation[2] is nan")));
}

TEST(StepCheck, AMaskThatAllowsNothingIsNamed) {
  Step step;
  step.masks = {1, 0, 0, 0};
  EXPECT_THAT(step.Complaint(),
              HasSubstr("environment 11 of shop, step 7: its mask allows no action"));
}

}  // namespace
}  // namespace dray
