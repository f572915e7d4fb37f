#include "src/loop/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
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

TEST_F(RunFolderTest, AFolderWithOtherFilesIsLeftAlone) {
  fs::create_directories(path);
  WriteFileAtomically(path + "/notes.txt", "mine");
  EXPECT_EQ(ErrorOf(/*resume=*/false, 2),
            path +
                ": is not empty (notes.txt) and holds no run; choose a folder for this run alone, "
                "such as --run-dir runs/first");
  EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), 1);
  fs::remove(path + "/notes.txt");
  fs::create_directories(path + "/checkpoints");
  WriteFileAtomically(path + "/checkpoints/model.pt", "mine");
  EXPECT_THAT(ErrorOf(/*resume=*/false, 2), HasSubstr("is not empty (checkpoints)"));
}

TEST_F(RunFolderTest, ALogAndWhatAKilledStartLeftMayLieInANewFolder) {
  fs::create_directories(path + "/checkpoints");
  for (const char* name : {"/train.log", "/.lock", "/config.yaml.tmp", "/checkpoints/.writable"}) {
    WriteFileAtomically(path + name, "");
  }
  EXPECT_EQ(ErrorOf(/*resume=*/false, 0), "");
}

TEST_F(RunFolderTest, RootAndHomeAreNoRunFolders) {
  config.mutable_run()->set_dir("/");
  EXPECT_THAT(ErrorOf(/*resume=*/false, 2), HasSubstr("the root folder cannot be the folder of"));
  config.mutable_run()->set_dir("//usr/..");
  EXPECT_THAT(ErrorOf(/*resume=*/false, 2), HasSubstr("the root folder cannot be the folder of"));
  const std::string home = path + "/home";
  fs::create_directories(home);
  ::setenv("HOME", home.c_str(), /*replace=*/1);
  config.mutable_run()->set_dir(home + "/.");
  EXPECT_THAT(ErrorOf(/*resume=*/false, 2), HasSubstr("the home folder cannot be the folder of"));
}

TEST_F(RunFolderTest, ANameThatIsNotUtf8IsRefused) {
  config.mutable_run()->set_dir(path + "/\xff");
  EXPECT_THAT(ErrorOf(/*resume=*/false, 2),
              HasSubstr("/\uFFFD\": the name of a run folder must be"));
  EXPECT_FALSE(fs::exists(path));
  config.mutable_run()->set_dir(path + "/Ü");
  EXPECT_EQ(ErrorOf(/*resume=*/false, 0), "");
}

TEST_F(RunFolderTest, APipeInThePlaceOfTheLockIsRefused) {
  fs::create_directories(path);
  ASSERT_EQ(::mkfifo((path + "/.lock").c_str(), 0600), 0);
  EXPECT_THAT(ErrorOf(/*resume=*/false, 1), HasSubstr("it is a pipe"));
}

TEST_F(RunFolderTest, AMovedFolderIsFollowed) {
  const std::string moved = path + "-moved";
  fs::remove_all(moved);
  RunFolder folder(config, /*resume=*/false);
  EXPECT_FALSE(folder.Follow());
  fs::rename(path, moved);
  fs::create_directories(path);  // another one in its place
  WriteFileAtomically(path + "/.lock", "");
  EXPECT_TRUE(folder.Follow());
  EXPECT_TRUE(fs::equivalent(folder.path(), moved));
  EXPECT_FALSE(folder.Follow());
  fs::remove_all(moved);
  EXPECT_TRUE(folder.Follow());
  EXPECT_EQ(folder.path(), path);
}

TEST_F(RunFolderTest, ANewRunOverwritesNone) {
  fs::create_directories(path);
  WriteFileAtomically(path + "/config.yaml", "train: {}\n");
  EXPECT_EQ(ErrorOf(/*resume=*/false, 2),
            path +
                " already holds a run: add --resume to continue it, or choose another "
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
  WriteFileAtomically(path + "/config.yaml", "train: {}\n");
  const std::vector<std::string> left = {
      "config.yaml.tmp",      "heartbeats.txt.tmp",        "metrics.jsonl.tmp",
      "weights.pt.tmp",       "checkpoints/best.ckpt.tmp", "checkpoints/epoch_00000002.ckpt.tmp",
      "checkpoints/.writable"};
  for (const std::string& name : left) WriteFileAtomically(path + "/" + name, "half");
  WriteFileAtomically(path + "/mine.tmp", "mine");
  const RunFolder folder(config, /*resume=*/true);
  for (const std::string& name : left) EXPECT_FALSE(fs::exists(path + "/" + name)) << name;
  EXPECT_EQ(ReadFile(path + "/mine.tmp"), "mine");
}

}  // namespace
}  // namespace dray
