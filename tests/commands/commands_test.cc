#include "src/commands/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "src/base/file.h"
#include "src/commands/command_help.h"
#include "src/config/fields.h"
#include "src/env/registry.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Command& CommandNamed(const std::string& name) {
  static const std::vector<Command> all = AllCommands();
  return *std::ranges::find(all, name, &Command::name);
}

TEST(Commands, EveryFlagHasOneNameAndSetsAnExistingSetting) {
  EXPECT_FALSE(AllCommands().empty());
  for (const Command& command : AllCommands()) {
    std::set<std::string> names;
    for (const Flag& flag : command.flags) {
      EXPECT_TRUE(names.insert(flag.name).second) << flag.name;
      for (const std::string& alias : flag.aliases)
        EXPECT_TRUE(names.insert(alias).second) << alias;
      for (const std::string& path : flag.clears) {
        EXPECT_NE(FindPath(*command.settings, path), nullptr) << path;
      }
      const bool has_place = flag.path.find("<env>") != std::string::npos;
      if (!flag.path.empty() && !has_place) {
        EXPECT_NE(FindPath(*command.settings, flag.path), nullptr) << flag.path;
      }
    }
    EXPECT_TRUE(names.contains("help")) << command.name;
  }
}

TEST(Commands, HaveTheFlagsOfEveryTask) {
  size_t flags = 0;
  for (const Task& task : AllTasks()) {
    for (const auto& [command, own] :
         {std::pair("train", &Task::train_flags), std::pair("evaluate", &Task::evaluate_flags)}) {
      for (const Flag& flag : task.*own) {
        const Flag* known = FindFlag(CommandNamed(command).flags, flag.name);
        ASSERT_NE(known, nullptr) << task.name << ": " << flag.name;
        EXPECT_EQ(known->path, flag.path) << task.name << ": " << flag.name;
        ++flags;
      }
    }
  }
  EXPECT_GT(flags, 0u);
}

TEST(Commands, HaveTheFlagsThatPeopleKnow) {
  for (const char* name : {"config",        "runner",       "run-dir",        "resume",
                           "seed",          "num-envs",     "episodes",       "customers",
                           "save-interval", "log-interval", "device",         "duration",
                           "epochs",        "total-steps",  "num-workers",    "num-envs-per-worker",
                           "learning-rate", "dry-run",      "help",           "set",
                           "n-envs",        "num-episodes", "checkpoint-dir", "output-dir"}) {
    EXPECT_NE(FindFlag(CommandNamed("train").flags, name), nullptr) << name;
  }
}

TEST(Commands, HelpHasEveryFlagWithItsDocUnitAndDefault) {
  for (const Command& command : AllCommands()) {
    const std::string help = HelpText(command);
    EXPECT_THAT(help, StartsWith(Cat("usage: ", command.name, " ")));
    EXPECT_THAT(help, HasSubstr(Cat("\nexamples:\n  ", command.name, " --")));
    for (const Flag& flag : command.flags) EXPECT_THAT(help, HasSubstr("--" + flag.name));
  }
  const std::string help = HelpText(CommandNamed("train"));
  EXPECT_THAT(help, HasSubstr("[default: 64]"));
  EXPECT_THAT(help, HasSubstr("--device auto|cpu|cuda|mps "));
  EXPECT_THAT(help,
              HasSubstr("Epochs between checkpoints (0: only at the end) [default: 10 epochs]"));
  EXPECT_THAT(help, HasSubstr("[default: dvrptw_best]"));
  EXPECT_THAT(HelpText(CommandNamed("evaluate")), HasSubstr("Episodes per evaluation"));
  EXPECT_THAT(HelpText(CommandNamed("solve")),
              StartsWith("usage: solve --instance FILE [--flag value | --flag=value] ...\n"));
}

TEST(Commands, HelpShowsTheDefaultsOfThePreset) {
  const std::string file = testing::TempDir() + "/help_preset.yaml";
  WriteFileAtomically(file, "train: {seed: 77, duration_s: 600}\nrun: {save_interval: 1}\n");
  const auto help_of = [](const std::vector<std::string>& arguments) {
    testing::internal::CaptureStdout();
    RunCommand("train", arguments, {});
    return testing::internal::GetCapturedStdout();
  };
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--config", file, "--help"}, {"--help", "--config=" + file}}) {
    const std::string help = help_of(arguments);
    EXPECT_THAT(help, HasSubstr("Defaults: those of " + file + "\n"));
    EXPECT_THAT(help, HasSubstr("[default: 77]"));
    EXPECT_THAT(help, HasSubstr("[default: 1 epoch]"));
    EXPECT_THAT(help, HasSubstr("[default: 600 s]"));
  }
  EXPECT_THAT(HelpText(CommandNamed("train")), Not(HasSubstr("600")));
  EXPECT_THAT(help_of({"--env", "cartpole", "--help"}), HasSubstr("configs/cartpole.yaml\n"));
  EXPECT_THAT(help_of({"--help", "--env=gym:Ant-v5"}), HasSubstr("configs/own_env.yaml\n"));
}

TEST(Commands, HelpIsCalledAsTheUserCallsIt) {
  ::setenv("DRAY_CALLED_AS", "dray", 1);
  const std::string help = HelpText(CommandNamed("train"));
  ::unsetenv("DRAY_CALLED_AS");
  EXPECT_THAT(help, StartsWith("usage: dray train ["));
  EXPECT_THAT(help, HasSubstr("\n  dray train --resume runs/first --duration 30m\n"));
}

TEST(Commands, HelpFitsAHundredColumnsAndIsAligned) {
  EXPECT_FALSE(AllCommands().empty());
  for (const Command& command : AllCommands()) {
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

TEST(Commands, HelpLooksAtNothingElse) {
  EXPECT_FALSE(AllCommands().empty());
  for (const Command& command : AllCommands()) {
    const std::string preset =
        command.preset.empty() ? "" : Cat("configs/", command.preset, ".yaml");
    for (const char* help : {"--help", "-h"}) {
      testing::internal::CaptureStdout();
      RunCommand(command.name, std::vector<std::string>{"--nonsense", help}, {});
      EXPECT_EQ(testing::internal::GetCapturedStdout(), HelpText(command, preset));
    }
  }
}

TEST(Commands, OneThatIsNotThereIsAnError) {
  EXPECT_EQ(UsageErrorOf([] { RunCommand("trian", {}, {}); }), "there is no command trian");
}

}  // namespace
}  // namespace dray
