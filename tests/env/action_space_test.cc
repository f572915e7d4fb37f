#include <gtest/gtest.h>

#include <limits>

#include "src/base/error.h"
#include "src/env/env.h"

namespace dray {
namespace {

TEST(ActionSpace, DiscreteActionsHaveOneOutputEach) {
  const ActionSpace space = ActionSpace::Discrete(3);
  EXPECT_TRUE(space.discrete());
  EXPECT_EQ(space.outputs(), 3);
}

TEST(ActionSpace, ABoxHasOneOutputPerValue) {
  const ActionSpace space = ActionSpace::Box({-1, 0}, {1, 2});
  EXPECT_FALSE(space.discrete());
  EXPECT_EQ(space.outputs(), 2);
}

TEST(ActionSpace, WithoutAnActionItIsInvalid) {
  EXPECT_THROW(ActionSpace::Discrete(0), Error);
  EXPECT_THROW(ActionSpace::Discrete(-2), Error);
  EXPECT_THROW(ActionSpace::Box({}, {}), Error);
}

TEST(ActionSpace, ABoxNeedsFiniteBoundsInOrder) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(ActionSpace::Box({0, 0}, {1}), Error);
  EXPECT_THROW(ActionSpace::Box({1}, {1}), Error);
  EXPECT_THROW(ActionSpace::Box({2}, {1}), Error);
  EXPECT_THROW(ActionSpace::Box({0}, {kInfinity}), Error);
  EXPECT_THROW(ActionSpace::Box({kNan}, {1}), Error);
}

}  // namespace
}  // namespace dray
