#include "src/loop/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(path);
    config.mutable_run()->set_dir(path);
  }

  // What opening the folder says; empty when it works.
  std::string ErrorOf(bool resume, int exit_code) const {
    try {
      const RunFolder folder(config, resume);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), exit_code);
      return error.what();
    }
  }

  const std::string path = testing::TempDir() + "/run_folder_test/run";
  Config config;
};

TEST_F(RunFolderTest, ANewRunGetsItsFolders) {
  const RunFolder folder(config, /*resume=*/false);
  EXPECT_EQ(folder.path(), path);
  EXPECT_EQ(folder.config_file(), path + "/config.yaml");
  EXPECT_EQ(folder.metrics_file(), path + "/metrics.jsonl");
  EXPECT_EQ(folder.weights_file(), path + "/weights.pt");
  EXPECT_TRUE(fs::is_directory(folder.checkpoints()));
}

TEST_F(RunFolderTest, AFolderThatHoldsOtherFilesMayBeUsed) {
  fs::create_directories(path);
  WriteFileAtomically(path + "/notes.txt", "mine");
  EXPECT_EQ(ErrorOf(/*resume=*/false, 0), "");
  EXPECT_EQ(ReadFile(path + "/notes.txt"), "mine");
}

TEST_F(RunFolderTest, ANewRunOverwritesNone) {
  fs::create_directories(path);
  WriteFileAtomically(path + "/config.yaml", "train: {}\n");
  EXPECT_EQ(ErrorOf(/*resume=*/false, 2),
            path +
                " already holds a run: add --resume to go on with it, or choose another "
                "--run-dir");
  EXPECT_EQ(ErrorOf(/*resume=*/true, 0), "");
}

TEST_F(RunFolderTest, NothingToResumeIsAnErrorAndMakesNoFolder) {
  EXPECT_THAT(ErrorOf(/*resume=*/true, 2), HasSubstr("nothing to resume in " + path));
  EXPECT_FALSE(fs::exists(path));
  config.mutable_run()->clear_dir();
  EXPECT_THAT(ErrorOf(/*resume=*/true, 2), HasSubstr("--resume RUN_FOLDER"));
}

TEST_F(RunFolderTest, OnlyOneProcessTrainsThere) {
  {
    const RunFolder first(config, /*resume=*/false);
    EXPECT_EQ(ErrorOf(/*resume=*/false, 1), "another process is training in " + path +
                                                ": wait for it, or choose another --run-dir");
  }
  EXPECT_EQ(ErrorOf(/*resume=*/false, 0), "");
}

TEST_F(RunFolderTest, AFolderThatCannotBeMadeIsAnErrorWithTheRemedy) {
  fs::create_directories(path);
  WriteFileAtomically(path + "/file", "");
  for (const std::string& bad : {path + "/file/run", std::string("/proc/run")}) {
    config.mutable_run()->set_dir(bad);
    EXPECT_THAT(ErrorOf(/*resume=*/false, 1), HasSubstr("cannot write " + bad));
    EXPECT_THAT(ErrorOf(/*resume=*/false, 1), HasSubstr("--run-dir"));
  }
}

TEST_F(RunFolderTest, ARunWithoutANameIsNamedAfterItsTaskAndNeverTwiceTheSame) {
  fs::create_directories(path);
  fs::current_path(path);
  ::setenv("BUILD_WORKING_DIRECTORY", path.c_str(), /*replace=*/1);
  config.mutable_run()->clear_dir();
  config.mutable_env()->set_name("toy");
  const RunFolder first(config, /*resume=*/false);
  const RunFolder second(config, /*resume=*/false);
  EXPECT_THAT(first.path(), HasSubstr("runs/toy-2"));
  EXPECT_NE(first.path(), second.path());
}

TEST_F(RunFolderTest, WhatAKilledProcessLeftHalfWrittenIsRemoved) {
  fs::create_directories(path + "/checkpoints");
  const std::vector<std::string> left = {"config.yaml.tmp",
                                         "metrics.jsonl.tmp",
                                         "weights.pt.tmp",
                                         "checkpoints/best.ckpt.tmp",
                                         "checkpoints/epoch_00000002.ckpt.tmp",
                                         "checkpoints/.writable"};
  for (const std::string& name : left) WriteFileAtomically(path + "/" + name, "half");
  WriteFileAtomically(path + "/mine.tmp", "mine");
  const RunFolder folder(config, /*resume=*/false);
  for (const std::string& name : left) EXPECT_FALSE(fs::exists(path + "/" + name)) << name;
  EXPECT_EQ(ReadFile(path + "/mine.tmp"), "mine");
}

}  // namespace
}  // namespace dray
