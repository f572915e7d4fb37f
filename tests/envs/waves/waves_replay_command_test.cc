#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/command.h"
#include "src/envs/waves/recorded_day.h"
#include "tests/envs/waves/town.h"

namespace dray {

namespace commands {
Command waves_replay();
}

namespace {

struct Ran {
  std::string printed;
  std::string error;
  int exit_code = 0;
};

Ran Replay(const std::vector<std::string>& arguments) {
  Ran ran;
  testing::internal::CaptureStdout();
  try {
    Run(commands::waves_replay(), arguments);
  } catch (const Error& error) {
    ran.error = error.what();
    ran.exit_code = error.exit_code();
  }
  ran.printed = testing::internal::GetCapturedStdout();
  return ran;
}

// Returns a line of a day on which everything leaves at once, on routes of their own.
std::string GreedyLine(uint64_t seed) {
  waves::Instance town = waves::ReadInstance(waves::TownFile());
  waves::Day day(std::make_shared<const waves::Instance>(town), seed);
  while (!day.done()) {
    waves::Routes routes;
    for (const waves::Request& request : day.open()) routes.push_back({request.id});
    day.Dispatch(routes);
  }
  return waves::LineOf(day, "town.txt") + "\n";
}

std::string DaysFile(const std::string& text) {
  const std::string path = testing::TempDir() + "/days.jsonl";
  WriteFileAtomically(path, text);
  return path;
}

TEST(WavesReplay, PrintsOneLineWhenAllDaysAreAsRecorded) {
  const Ran ran = Replay({"--days", DaysFile(GreedyLine(1) + GreedyLine(2))});
  EXPECT_EQ(ran.printed, "2 days: 2 accepted, 0 rejected, 0 cost mismatches\n");
  EXPECT_EQ(ran.exit_code, 0) << ran.error;
}

TEST(WavesReplay, ADayWithAnotherCostIsAMismatch) {
  std::string line = GreedyLine(1);
  const size_t at = line.find("\"cost\":") + 7;
  line.replace(at, line.find(',', at) - at, "5");
  const std::string path = DaysFile(line);
  const Ran ran = Replay({"--days", path});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.printed.find(path + ":1: cost is 5 in the file, "), 0u) << ran.printed;
  EXPECT_NE(ran.printed.find("1 day: 1 accepted, 0 rejected, 1 cost mismatch\n"),
            std::string::npos);
}

TEST(WavesReplay, ADayThatBreaksARuleIsRejected) {
  const std::string path = DaysFile(R"({"instance":"town.txt","seed":1,"epochs":{"9":[]}})"
                                    "\n"
                                    R"({"instance":"town.txt","seed":1,"epochs":{}})"
                                    "\n");
  const Ran ran = Replay({"--days", path});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.printed.find(":1: rejected: there is no epoch 9; the day has epochs 1 to 4\n"),
            std::string::npos);
  EXPECT_NE(ran.printed.find(" must go in this epoch and is in no route\n"), std::string::npos);
  EXPECT_NE(ran.printed.find("2 days: 0 accepted, 2 rejected, 0 cost mismatches\n"),
            std::string::npos);
}

TEST(WavesReplay, JsonHasALineForEachDay) {
  const Ran ran = Replay({"--days", DaysFile(GreedyLine(1)), "--json"});
  EXPECT_NE(ran.printed.find("\"accepted\":true,\"cost\":"), std::string::npos) << ran.printed;
}

TEST(WavesReplay, RefusesWhatItCannotUseInOneLine) {
  EXPECT_EQ(Replay({}).exit_code, 2);
  EXPECT_EQ(Replay({"--days", "no/such/file"}).error,
            "cannot read no/such/file: No such file or directory");
}

}  // namespace
}  // namespace dray
