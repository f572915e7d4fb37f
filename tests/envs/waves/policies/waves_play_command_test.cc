#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/command.h"
#include "src/envs/waves/replay.h"
#include "tests/envs/waves/town.h"

namespace dray {

namespace commands {
Command waves_play();
}

namespace {

class WavesPlayTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string town = waves::TownFile();
    for (const int seed : {1, 2, 3})
      lines_ += "{\"instance\": \"" + town + "\", \"seed\": " + std::to_string(seed) +
                ", \"epochs\": {}}\n";
    WriteFileAtomically(days_, lines_);
    std::filesystem::remove(out_);
  }

  std::string Play(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--days", days_, "--rounds", "200"});
    testing::internal::CaptureStdout();
    try {
      dray::Run(commands::waves_play(), arguments);
    } catch (const Error& error) {
      testing::internal::GetCapturedStdout();
      return error.what();
    }
    return testing::internal::GetCapturedStdout();
  }

  const std::string days_ = testing::TempDir() + "/listed.jsonl";
  const std::string out_ = testing::TempDir() + "/played.jsonl";
  std::string lines_;
};

TEST_F(WavesPlayTest, WritesDaysThatTheReplayAccepts) {
  const std::string printed = Play({"--out", out_});
  EXPECT_EQ(printed.find("conditional: 3 days, mean driving time "), 0u) << printed;
  const std::vector<waves::RecordedDay> days = waves::ReadDays(out_);
  ASSERT_EQ(days.size(), 3u);
  waves::InstanceFiles files;
  for (const waves::RecordedDay& day : days) {
    const waves::ReplayedDay replayed = waves::Replay(day, files.Get(day.instance));
    EXPECT_EQ(replayed.fault, "");
    EXPECT_EQ(replayed.cost, day.cost);
  }
}

TEST_F(WavesPlayTest, ContinuesWithTheDaysThatAreMissing) {
  Play({"--out", out_, "--threads", "1"});
  const std::string all = ReadFile(out_);
  WriteFileAtomically(out_, all.substr(0, all.find('\n') + 1));
  Play({"--out", out_, "--threads", "1"});
  EXPECT_EQ(ReadFile(out_), all);
}

TEST_F(WavesPlayTest, RefusesWhatItCannotUseInOneLine) {
  EXPECT_EQ(Play({"--policy", "best"}),
            "'best' is not a policy for waves; use greedy, lazy, random or conditional");
  WriteFileAtomically(out_, lines_);
  EXPECT_EQ(Play({"--out", out_}), out_ + ":1: has no cost; is this a file of played days?");
}

}  // namespace
}  // namespace dray
