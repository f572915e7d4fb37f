#include "src/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "src/base/error.h"

namespace dray {
namespace {

std::string Folder() {
  const std::string folder = testing::TempDir() + "/file_test";
  std::filesystem::remove_all(folder);
  MakeWritableFolder(folder);
  return folder;
}

TEST(File, AWrittenFileReplacesTheOldOneAndLeavesNothingAside) {
  const std::string folder = Folder();
  WriteFileAtomically(folder + "/a", "old");
  WriteFileAtomically(folder + "/a", std::string("n\0w", 3));
  EXPECT_EQ(ReadFile(folder + "/a"), std::string("n\0w", 3));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST(File, AFullDiskIsAClearErrorAndKeepsNothing) {
  try {
    WriteFileAtomically("/dev/full/x", "bytes");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), 1);
    EXPECT_NE(std::string(e.what()).find("--run-dir"), std::string::npos);
  }
}

TEST(File, AMissingFileIsAnErrorThatNamesIt) {
  try {
    ReadFile("/nowhere/file.yaml");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/file.yaml"), std::string::npos);
  }
}

std::string WhyNotRead(const std::string& path) {
  try {
    ReadFile(path);
    return "it was read";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(File, WhatIsNoFileIsRefusedAndNotWaitedFor) {
  const std::string folder = Folder();
  EXPECT_EQ(WhyNotRead(folder), "cannot read " + folder + ": it is a folder");
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(WhyNotRead(pipe), "cannot read " + pipe +
                                  ": it is a pipe, not a file; write its contents to a file and "
                                  "name that");
  EXPECT_EQ(WhyNotRead("/dev/zero"),
            "cannot read /dev/zero: it is a device, not a file; write its contents to a file and "
            "name that");
}

TEST(File, ALongFileIsReadWhole) {
  const std::string folder = Folder();
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(i % 251);
  WriteFileAtomically(folder + "/long", text);
  EXPECT_EQ(ReadFile(folder + "/long"), text);
}

TEST(File, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_THROW(MakeWritableFolder("/proc/nothing"), Error);
}

TEST(File, AFileThatCannotBeReplacedLeavesNothingAside) {
  const std::string folder = Folder();
  std::filesystem::create_directory(folder + "/taken");
  EXPECT_THROW(WriteFileAtomically(folder + "/taken", "bytes"), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace dray
