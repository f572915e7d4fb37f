#include "src/output/append_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/output/small_files.h"

namespace dray {
namespace {

std::string FreshPath(const std::string& name) {
  const std::string path = testing::TempDir() + "/" + name;
  std::remove(path.c_str());
  return path;
}

TEST(AppendFile, GrowsWhatIsThereAndIsReadableAtOnce) {
  const std::string path = FreshPath("grows");
  WriteFileAtomically(path, "a\n");
  AppendFile file(path);
  file.Append("b\n");
  EXPECT_EQ(ReadFile(path), "a\nb\n");
  file.Append("c\n");
  EXPECT_EQ(ReadFile(path), "a\nb\nc\n");
}

TEST(AppendFile, AFileThatMayNotGrowIsAnErrorThatSaysWhatToDo) {
  const std::string path = FreshPath("full");
  AppendFile file(path);
  const SmallFiles limit(0);
  try {
    file.Append("bytes");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), 1);
    EXPECT_NE(std::string(e.what()).find(path), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("ulimit -f"), std::string::npos);
  }
}

TEST(AppendFile, APipeIsRefusedAndNotWaitedFor) {
  const std::string path = FreshPath("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(AppendFile file(path), Error);
  EXPECT_THROW(AppendFile("/dev/null"), Error);
}

TEST(AppendFile, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(AppendFile("/nowhere/file"), Error);
}

TEST(AppendFile, ARecordThatDoesNotFitLeavesTheFileAsItWas) {
  const std::string path = FreshPath("limited");
  const SmallFiles limit(1000);
  AppendFile file(path);
  file.Append(std::string(600, 'a'));
  EXPECT_THROW(file.Append(std::string(600, 'b')), Error);
  EXPECT_EQ(ReadFile(path), std::string(600, 'a'));
}

TEST(AppendFile, WhatDidNotFitGoesFirstWhenThereIsRoomAgain) {
  const std::string path = FreshPath("again");
  AppendFile file(path);
  {
    const SmallFiles limit(5);
    file.Append("a\n");
    EXPECT_THROW(file.Append("second\n"), Error);
    EXPECT_THROW(file.Append("c\n"), Error);
    EXPECT_THROW(file.Sync(), Error);
    EXPECT_EQ(ReadFile(path), "a\n");
  }
  file.Append("d\n");
  EXPECT_EQ(ReadFile(path), "a\nsecond\nc\nd\n");
  file.Sync();
}

TEST(AppendFile, WhatStillWaitsIsWrittenAtTheEnd) {
  const std::string path = FreshPath("at_the_end");
  {
    AppendFile file(path);
    const SmallFiles limit(1);
    EXPECT_THROW(file.Append("late\n"), Error);
  }
  EXPECT_EQ(ReadFile(path), "late\n");
}

TEST(AppendFile, OfMoreThanItKeepsTheOldestAreDropped) {
  const std::string path = FreshPath("dropped");
  AppendFile file(path);
  const size_t third = AppendFile::kMostWaiting / 3;
  {
    const SmallFiles limit(1);
    for (const char letter : {'a', 'b', 'c', 'd'}) {
      EXPECT_THROW(file.Append(std::string(third, letter)), Error);
    }
  }
  file.Append("e");
  EXPECT_EQ(ReadFile(path),
            std::string(third, 'b') + std::string(third, 'c') + std::string(third, 'd') + "e");
}

TEST(AppendFile, AFileThatWasDeletedIsBegunAgain) {
  const std::string folder = testing::TempDir() + "/deleted";
  std::filesystem::create_directories(folder);
  AppendFile file(folder + "/file");
  file.Append("a\n");
  std::filesystem::remove_all(folder);
  EXPECT_THROW(file.Append("b\n"), Error);
  std::filesystem::create_directories(folder);
  file.Append("c\n");
  EXPECT_EQ(ReadFile(folder + "/file"), "b\nc\n");
}

}  // namespace
}  // namespace dray
