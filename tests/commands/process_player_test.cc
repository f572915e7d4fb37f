#include "src/commands/process_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

using ::testing::HasSubstr;

EnvSpec SmallSpec() {
  return {.name = "small", .observation_size = 2, .actions = ActionSpace::Discrete(5)};
}

int32_t AskOnce(ProcessPlayer& player, std::vector<float> observation = {1, 0.5f},
                std::vector<uint8_t> mask = {}) {
  int32_t action = -1;
  player.Act({observation, mask, {}}, {{&action, 1}, {}});
  return action;
}

std::string ErrorOf(const std::string& command, const std::vector<uint8_t>& mask = {}) {
  ProcessPlayer player(command, SmallSpec());
  player.Begin(2, 1);
  try {
    AskOnce(player, {1, 0}, mask);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ProcessPlayer, AsksForEachStepAndTakesTheAnswers) {
  ProcessPlayer player("while read line; do echo 3; done", SmallSpec());
  for (int episode = 0; episode < 2; ++episode) {
    player.Begin(episode, 1);
    for (int step = 0; step < 3; ++step) EXPECT_EQ(AskOnce(player), 3);
  }
}

TEST(ProcessPlayer, ShowsEpisodeStepObservationAndMask) {
  // Answers 4 where the line is as it should be, else 0.
  ProcessPlayer player(
      R"(read line; [ "$line" = '{"episode":3,"step":0,"observation":[1.0,0.5],"mask":[1,1,0,1,1]}' ] && echo 4 || echo 0)",
      SmallSpec());
  player.Begin(2, 1);
  EXPECT_EQ(AskOnce(player, {1, 0.5f}, {1, 1, 0, 1, 1}), 4);
}

TEST(ProcessPlayer, SaysWhatIsWrongWithAnAnswer) {
  EXPECT_THAT(
      ErrorOf("read line; echo nine"),
      HasSubstr("episode 3, step 0: 'nine' is not an action; expected a number from 0 to 4"));
  EXPECT_THAT(ErrorOf("read line; echo 5"), HasSubstr("'5' is not an action"));
  EXPECT_THAT(ErrorOf("read line; echo 2", {1, 1, 0, 1, 1}), HasSubstr("action 2 is forbidden"));
  EXPECT_THAT(ErrorOf("exit 3"), HasSubstr("the program"));
  EXPECT_THAT(ErrorOf("no-such-program-at-all 2>/dev/null"), HasSubstr("the program"));
  EXPECT_THROW(ProcessPlayer("", SmallSpec()), Error);
}

TEST(ProcessPlayer, ContinuousActionsAreSeveralNumbers) {
  EnvSpec spec = SmallSpec();
  spec.actions = ActionSpace::Box({-1, -1}, {1, 1});
  ProcessPlayer player("while read line; do echo 0.25 -1; done", spec);
  player.Begin(0, 1);
  std::vector<float> observation = {0, 0}, values(2);
  player.Act({observation, {}, {}}, {{}, values});
  EXPECT_EQ(values, (std::vector<float>{0.25f, -1}));
}

TEST(ProcessPlayer, AProgramThatDoesNotEndIsEnded) {
  ProcessPlayer player("trap '' HUP; read line; echo 1; sleep 1000", SmallSpec());
  player.Begin(0, 1);
  EXPECT_EQ(AskOnce(player), 1);
}

}  // namespace
}  // namespace dray
