#include "src/envs/cage2/pictures/episode_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "src/envs/cage2/blue_actions.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

int CountOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Red breaks into User1 in the second step and is thrown out in the fourth.
std::vector<Frame> SmallStory() {
  std::vector<Frame> frames(4);
  for (size_t i = 0; i < frames.size(); ++i) {
    frames[i].step = static_cast<int>(i) + 1;
    frames[i].sessions = frames[i].privileged = Bit(kUser0);
  }
  frames[1].record.red_action = RedAction::kExploit;
  frames[1].record.red_target = kUser1;
  frames[1].record.red_success = true;
  frames[1].sessions |= Bit(kUser1);
  frames[2].sessions |= Bit(kUser1);
  frames[2].record.reward_tenths = -1;
  frames[3].action = ActionId(BlueKind::kRestore, kUser1);
  frames[3].mends = true;
  frames[3].record.reward_tenths = -10;
  return frames;
}

TEST(EpisodePictures, TheTimelineShowsWhatWasHeldAndDone) {
  const std::string svg = TimelinePicture(SmallStory(), ShippedNetwork(), "Episode 1");
  EXPECT_THAT(svg, HasSubstr("Episode 1"));
  EXPECT_EQ(CountOf(svg, "class=\"session\""), 2);
  EXPECT_EQ(CountOf(svg, "class=\"attack\""), 1);
  EXPECT_EQ(CountOf(svg, "class=\"restore\""), 1);
  EXPECT_THAT(svg, HasSubstr("step 4: Restore User1, throws red out"));
  EXPECT_THAT(svg, HasSubstr("-1.1 in all"));
  EXPECT_THAT(svg, Not(HasSubstr("violates the order")));
}

TEST(EpisodePictures, WithAWorkflowViolationsAreMarked) {
  std::vector<Frame> frames = SmallStory();
  for (Frame& frame : frames) frame.has_workflow = true;
  frames[3].verdict = Compliance::Verdict::kViolation;
  EXPECT_THAT(TimelinePicture(frames, ShippedNetwork(), "t"),
              HasSubstr("throws red out, violates the order"));
}

TEST(EpisodePictures, TheNetworkShowsRedsWay) {
  const std::string svg = NetworkPicture(SmallStory(), ShippedNetwork(), "Episode 1");
  EXPECT_EQ(CountOf(svg, "class=\"way\""), 1);
  EXPECT_THAT(svg, HasSubstr("1 fix"));
  EXPECT_THAT(svg, HasSubstr("red: 2 steps"));
  EXPECT_THAT(svg, HasSubstr("Op_Server0"));
}

}  // namespace
}  // namespace dray::cage2
