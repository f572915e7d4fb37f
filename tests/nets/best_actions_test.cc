#include "src/nets/best_actions.h"

#include <gtest/gtest.h>

#include "tests/rollout/made_up_weights.h"

namespace dray {
namespace {

constexpr size_t kRows = 3;
constexpr size_t kWidth = 2;
constexpr size_t kOutputs = 4;

class BestActionsTest : public testing::Test {
 protected:
  BestActionsTest() { network.add_hidden(8); }

  BestActions Player(const ActionSpace& actions) const {
    EnvSpec spec;
    spec.observation_size = kWidth;
    spec.actions = actions;
    BestActions player(spec, network);
    player.Load(MadeUpWeights(spec, network, 1).ToBytes());
    return player;
  }

  NetworkConfig network;
  const std::vector<float> observations = {1, -2, 0.5, 3, -4, 0.25};
  // One action alone is allowed in each row.
  const std::vector<uint8_t> masks = {0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1};
};

TEST_F(BestActionsTest, EveryRowIsActedOnByItsOwnMask) {
  BestActions player = Player(ActionSpace::Discrete(kOutputs));
  std::vector<int32_t> actions(kRows);
  player.Begin(0, kRows);
  player.Act({observations, masks, {}}, {actions, {}});
  EXPECT_EQ(actions, (std::vector<int32_t>{2, 0, 3}));
}

TEST_F(BestActionsTest, RowsSideBySideAreActedOnAsEachAlone) {
  BestActions player =
      Player(ActionSpace::Box(std::vector<float>(kOutputs, -1), std::vector<float>(kOutputs, 1)));
  std::vector<float> together(kRows * kOutputs), alone(kOutputs);
  player.Begin(0, kRows);
  player.Act({observations, {}, {}}, {{}, together});
  for (size_t row = 0; row < kRows; ++row) {
    player.Begin(0, 1);
    player.Act({std::span(observations).subspan(row * kWidth, kWidth), {}, {}}, {{}, alone});
    for (size_t i = 0; i < kOutputs; ++i) EXPECT_EQ(together[row * kOutputs + i], alone[i]);
  }
}

}  // namespace
}  // namespace dray
