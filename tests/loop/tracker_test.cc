#include "src/loop/tracker.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

class TrackerTest : public testing::Test {
 protected:
  TrackerTest() { std::filesystem::remove(log_); }

  // Follows a command of a shell until it has ended or its input does.
  void Follow(const std::string& command, bool until_it_fails = false) {
    Tracker tracker({"sh", "-c", command}, log_,
                    [this](const auto& line) { said_.push_back(line); });
    while (until_it_fails && said_.empty()) tracker.Look();
    tracker.Look();
  }

  const std::string log_ = testing::TempDir() + "/tracker.log";
  std::vector<std::string> said_;
};

TEST_F(TrackerTest, SaysNothingWhenAllGoesWell) {
  Follow("cat; echo sent");
  EXPECT_EQ(said_, std::vector<std::string>{});
  EXPECT_EQ(ReadFile(log_), "sent\n");
}

TEST_F(TrackerTest, WarnsOnceWithTheLastLineThatItPrinted) {
  Follow("echo first; echo no key; exit 1", /*until_it_fails=*/true);
  ASSERT_EQ(said_.size(), 1);
  EXPECT_EQ(said_[0],
            Cat("Warning: nothing goes to W&B for now: no key; the training continues and will "
                "try again (details in ",
                log_, ")"));
}

TEST_F(TrackerTest, WarnsOfAFailureAtTheEnd) {
  Follow("cat; exit 7");
  ASSERT_EQ(said_.size(), 1);
  EXPECT_NE(said_[0].find("ended with status 7"), std::string::npos);
}

TEST_F(TrackerTest, WarnsWhenItCannotBeStarted) {
  Tracker tracker({"dray-no-such-program"}, log_,
                  [this](const auto& line) { said_.push_back(line); });
  tracker.Look();
  ASSERT_EQ(said_.size(), 1);
  EXPECT_NE(said_[0].find("dray-no-such-program: No such file"), std::string::npos);
}

TEST_F(TrackerTest, AfterAFailureItIsStartedAgain) {
  const std::string seen = testing::TempDir() + "/tracker_seen";
  std::filesystem::remove(seen);
  {
    Tracker tracker(
        {"sh", "-c", Cat("test -e ", seen, " && cat; touch ", seen, "; exit 1")}, log_,
        [this](const auto& line) { said_.push_back(line); }, /*retry_s=*/0);
    while (tracker.failures() == 0) tracker.Look();
    tracker.Look();  // starts it again: now it waits for its input to end
    tracker.Look();
    EXPECT_EQ(tracker.failures(), 1);
  }
  EXPECT_EQ(said_.size(), 1u);
}

}  // namespace
}  // namespace dray
