#include "src/base/installation.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace dray {
namespace {

TEST(ShellWord, IsOneWordToAShell) {
  EXPECT_EQ(ShellWord("runs/cage2-1"), "runs/cage2-1");
  EXPECT_EQ(ShellWord("my runs/a"), "'my runs/a'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord("$HOME"), "'$HOME'");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(CommandLine, IsWhatTheUserCalled) {
  EXPECT_EQ(CommandLine("evaluate"), "bazel run //:evaluate --");
  setenv("DRAY_CALLED_AS", "dray", 1);
  EXPECT_EQ(CommandLine("evaluate"), "dray evaluate");
  unsetenv("DRAY_CALLED_AS");
}

}  // namespace
}  // namespace dray
