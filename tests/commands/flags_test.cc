#include "src/commands/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "src/config/config.pb.h"
#include "src/config/fields.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::HasSubstr;

TEST(Flags, EveryFlagHasOneNameAndSetsAnExistingSetting) {
  for (const Command command : {Command::kTrain, Command::kEvaluate, Command::kSearch}) {
    std::set<std::string> names;
    for (const Flag& flag : FlagsOf(command)) {
      EXPECT_TRUE(names.insert(flag.name).second) << flag.name;
      for (const std::string& alias : flag.aliases)
        EXPECT_TRUE(names.insert(alias).second) << alias;
      for (const std::string& path : flag.clears) {
        EXPECT_NE(FindPath(*Config::descriptor(), path), nullptr) << path;
      }
      const bool has_place = flag.path.find("<env>") != std::string::npos;
      if (!flag.path.empty() && !has_place) {
        EXPECT_NE(FindPath(*Config::descriptor(), flag.path), nullptr) << flag.path;
      }
    }
  }
}

TEST(Flags, OfTrainAreTheOnesPeopleKnow) {
  for (const char* name : {"config",        "runner",       "run-dir",        "resume",
                           "seed",          "num-envs",     "episodes",       "customers",
                           "save-interval", "log-interval", "device",         "duration",
                           "epochs",        "total-steps",  "num-workers",    "num-envs-per-worker",
                           "learning-rate", "dry-run",      "help",           "set",
                           "n-envs",        "num-episodes", "checkpoint-dir", "output-dir"}) {
    EXPECT_NE(FindFlag(FlagsOf(Command::kTrain), name), nullptr) << name;
  }
}

TEST(Flags, ADurationHasAUnitOrIsHours) {
  EXPECT_EQ(DurationSeconds("30s"), 30);
  EXPECT_EQ(DurationSeconds("5m"), 300);
  EXPECT_EQ(DurationSeconds("2h"), 7200);
  EXPECT_EQ(DurationSeconds("1.5h"), 5400);
  EXPECT_EQ(DurationSeconds("0.01"), 36);
  for (const char* wrong : {"", "s", "5x", "5 m", "-5s", "nan", "infh", "5ms", "1h30m"}) {
    EXPECT_EQ(UsageErrorOf([&] { DurationSeconds(wrong); }),
              std::string("--duration ") + wrong +
                  ": expected a time such as 30s, 5m or 2h (a bare number is hours)");
  }
}

TEST(Flags, HelpHasEveryFlagWithItsDocUnitAndDefault) {
  const std::string help = HelpText(Command::kTrain);
  for (const Flag& flag : FlagsOf(Command::kTrain)) EXPECT_THAT(help, HasSubstr("--" + flag.name));
  EXPECT_THAT(help, HasSubstr("[default: 64]; also"));
  EXPECT_THAT(help, HasSubstr("--device auto|cpu|cuda|mps "));
  EXPECT_THAT(help, HasSubstr("Report every so many epochs [default: 1 epoch]"));
  EXPECT_THAT(help, HasSubstr("configs/dvrptw_64.yaml"));
  EXPECT_THAT(help, HasSubstr("examples:\n"));
  EXPECT_THAT(HelpText(Command::kEvaluate), HasSubstr("Episodes per evaluation"));
}

TEST(Flags, HelpFitsAHundredColumnsAndIsAligned) {
  for (const Command command : {Command::kTrain, Command::kEvaluate, Command::kSearch}) {
    std::istringstream help(HelpText(command));
    std::set<size_t> columns;
    for (std::string line; std::getline(help, line);) {
      EXPECT_LE(line.size(), 100u) << line;
      if (!line.starts_with("  -") && !line.starts_with("      ")) continue;
      const size_t gap = line.find("  ", 2);
      columns.insert(line.find_first_not_of(' ', line.starts_with("  -") ? gap : 0));
    }
    EXPECT_EQ(columns.size(), 1u) << HelpText(command);
  }
}

}  // namespace
}  // namespace dray
