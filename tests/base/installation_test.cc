#include "src/base/installation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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

class ToolLineTest : public testing::Test {
 protected:
  ToolLineTest() : folder_(testing::TempDir() + "tool line/") {
    std::filesystem::create_directories(folder_ + "bin");
    std::filesystem::create_directories(folder_ + ".venv/bin");
    setenv("PATH", "/nowhere", 1);
  }
  ~ToolLineTest() override {
    for (const char* name : {"DRAY_PYTHON", "DRAY_CALLED_AS", "BUILD_WORKSPACE_DIRECTORY"}) {
      unsetenv(name);
    }
    std::filesystem::remove_all(folder_);
  }
  void Install(const std::string& path) {
    std::ofstream(folder_ + path) << "#!/bin/sh\n";
    std::filesystem::permissions(folder_ + path, std::filesystem::perms::owner_all);
  }

  const std::string folder_;
};

TEST_F(ToolLineTest, IsEmptyWhereTheToolIsNotInstalled) { EXPECT_EQ(ToolLine("paint"), ""); }

TEST_F(ToolLineTest, IsTheNameWhereThePathHasIt) {
  Install("bin/paint");
  setenv("PATH", ("/nowhere:" + folder_ + "bin").c_str(), 1);
  EXPECT_EQ(ToolLine("paint"), "paint");
}

TEST_F(ToolLineTest, IsAPathBesideThePythonWhoseFolderDrayAlonePutOnThePath) {
  Install("bin/paint");
  setenv("PATH", (folder_ + "bin").c_str(), 1);
  setenv("DRAY_PYTHON", (folder_ + "bin/python").c_str(), 1);
  setenv("DRAY_CALLED_AS", "dray", 1);
  EXPECT_EQ(ToolLine("paint"), "'" + folder_ + "bin/paint'");
}

TEST_F(ToolLineTest, IsThatOfTheRepositoryUnderBazel) {
  Install(".venv/bin/paint");
  setenv("BUILD_WORKSPACE_DIRECTORY", folder_.c_str(), 1);
  EXPECT_EQ(ToolLine("paint"), "'" + folder_ + ".venv/bin/paint'");
  setenv("BUILD_WORKING_DIRECTORY", folder_.c_str(), 1);
  EXPECT_EQ(ToolLine("paint"), ".venv/bin/paint");
  unsetenv("BUILD_WORKING_DIRECTORY");
}

TEST(PythonCommand, TakesTheInterpreterOfACloneOrTheOneThatIsNamed) {
  setenv("BUILD_WORKSPACE_DIRECTORY", "/clone", 1);
  EXPECT_EQ(PythonCommand("wandb"), (std::vector<std::string>{"/clone/scripts/dray.sh", "wandb"}));
  setenv("DRAY_PYTHON", "/opt/python", 1);
  unsetenv("PYTHONPATH");
  const std::vector<std::string> words = PythonCommand("wandb");
  unsetenv("DRAY_PYTHON");
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  ASSERT_EQ(words.size(), 6);
  EXPECT_TRUE(words[1].starts_with("PYTHONPATH=/"));
  EXPECT_TRUE(words[1].ends_with(".runfiles/dray/src/python"));
  EXPECT_EQ(words[2], "/opt/python");
  EXPECT_EQ(words[5], "wandb");
}

TEST(KnowsItsPython, IfItIsNamedOrTheProgramRunsInAClone) {
  for (const char* name : {"DRAY_PYTHON", "BUILD_WORKSPACE_DIRECTORY"}) unsetenv(name);
  EXPECT_FALSE(KnowsItsPython());
  for (const char* name : {"DRAY_PYTHON", "BUILD_WORKSPACE_DIRECTORY"}) {
    setenv(name, "/somewhere", 1);
    EXPECT_TRUE(KnowsItsPython()) << name;
    unsetenv(name);
  }
}

TEST(PythonCommand, FindsThePackageNextToTheTestThatStartedTheProgram) {
  const std::string folder = testing::TempDir() + "/runfiles",
                    modules = folder + "/dray/src/python";
  std::filesystem::create_directories(modules + "/dray");
  std::ofstream(modules + "/dray/command.py") << "";
  const char* before = getenv("RUNFILES_DIR");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("PYTHONPATH");
  setenv("RUNFILES_DIR", folder.c_str(), 1);
  EXPECT_EQ(PythonCommand("wandb").at(1),
            "PYTHONPATH=" + std::filesystem::path(modules).lexically_normal().string());
  setenv("DRAY_PYTHON_MODULES", "/elsewhere", 1);
  EXPECT_EQ(PythonCommand("wandb").at(1), "PYTHONPATH=/elsewhere");
  unsetenv("DRAY_PYTHON_MODULES");
  if (before == nullptr)
    unsetenv("RUNFILES_DIR");
  else
    setenv("RUNFILES_DIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace dray
