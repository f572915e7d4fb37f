#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/command.h"

namespace dray {

namespace commands {
Command cage2_replay();
}

namespace {

constexpr char kHead[] = "tests/data/cage2/traces_head.csv";
constexpr char kLeaderboard[] = "tests/data/cage2/traces_leaderboard.csv";

struct Ran {
  std::string printed;
  std::string error;
  int exit_code = 0;
};

Ran Replay(const std::vector<std::string>& arguments) {
  Ran ran;
  testing::internal::CaptureStdout();
  try {
    Run(commands::cage2_replay(), arguments);
  } catch (const Error& error) {
    ran.error = error.what();
    ran.exit_code = error.exit_code();
  }
  ran.printed = testing::internal::GetCapturedStdout();
  return ran;
}

TEST(Cage2Replay, PrintsOneLineWhenAllIsAsRecorded) {
  const Ran ran = Replay({"--traces", kHead});
  EXPECT_EQ(ran.printed, "40 episodes, 4,000 steps, 0 mismatches\n");
  EXPECT_EQ(ran.exit_code, 0);
}

TEST(Cage2Replay, FollowsTheRelease) {
  EXPECT_EQ(Replay({"--traces", kLeaderboard, "--release=leaderboard"}).printed,
            "40 episodes, 4,000 steps, 0 mismatches\n");
}

TEST(Cage2Replay, TakesSeveralFiles) {
  EXPECT_EQ(Replay({"--traces", kHead, "--traces", kHead}).printed,
            "80 episodes, 8,000 steps, 0 mismatches\n");
}

TEST(Cage2Replay, PrintsTheFirstMismatchesAndFails) {
  const Ran ran = Replay({"--traces", kHead, "--wrapper", "cardiff"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.printed.find("obs_hex is "), std::string::npos) << ran.printed;
  EXPECT_NE(ran.printed.find("40 episodes, 4,000 steps, "), std::string::npos) << ran.printed;
}

TEST(Cage2Replay, RefusesWhatItCannotUseInOneLine) {
  EXPECT_EQ(Replay({}).exit_code, 2);
  EXPECT_EQ(Replay({"--traces", kHead, "--release", "tail"}).error,
            "--release tail: expected head or leaderboard, found \"tail\"");
  EXPECT_EQ(Replay({"--traces", "no/such/file.csv"}).error,
            "cannot read no/such/file.csv: No such file or directory");
  const std::string path = testing::TempDir() + "/bad.csv";
  WriteFileAtomically(path, "trace,red\n1,bline\n");
  const Ran ran = Replay({"--traces", path});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.error, path + ":1: no column named green; the first line names the columns");
}

}  // namespace
}  // namespace dray
