#include "src/base/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace dray {
namespace {

const std::vector<std::string> kEnvs = {"acrobot", "cartpole", "mountaincar", "pendulum"};
const std::vector<std::string> kKeys = {"learning_rate", "gamma", "clip", "clip_schedule",
                                        "minibatch_size"};

TEST(NearestName, AMistypedLetterIsForgiven) {
  EXPECT_EQ(NearestName("cartpol", kEnvs), "cartpole");    // left out
  EXPECT_EQ(NearestName("carttpole", kEnvs), "cartpole");  // added
  EXPECT_EQ(NearestName("cartpule", kEnvs), "cartpole");   // replaced
  EXPECT_EQ(NearestName("catr_pole", kEnvs), "cartpole");  // swapped, and one added
  EXPECT_EQ(NearestName("learning-rate", kKeys), "learning_rate");
}

TEST(NearestName, TheSpellingsOfOtherLibrariesAreFound) {
  EXPECT_EQ(NearestName("CartPole-v1", kEnvs), "cartpole");
  EXPECT_EQ(NearestName("mountain_car", kEnvs), "mountaincar");
  EXPECT_EQ(NearestName("ACROBOT", kEnvs), "acrobot");
}

TEST(NearestName, ABeginningIsEnoughWhenNothingIsNearer) {
  EXPECT_EQ(NearestName("minibatch", kKeys), "minibatch_size");
  EXPECT_EQ(NearestName("clip_range", kKeys), "clip");
}

TEST(NearestName, TheNearestOfSeveralWinsAndTheFirstOfEquals) {
  EXPECT_EQ(NearestName("clp", kKeys), "clip");
  EXPECT_EQ(NearestName("rats", std::vector<std::string>{"cats", "bats"}), "cats");
}

TEST(NearestName, NothingIsNearToADifferentWord) {
  EXPECT_EQ(NearestName("dvrptw", kEnvs), "");
  EXPECT_EQ(NearestName("", kEnvs), "");
  EXPECT_EQ(NearestName("ca", kEnvs), "");
  EXPECT_EQ(NearestName("cartpole", {}), "");
}

}  // namespace
}  // namespace dray
