#include "src/metrics/append_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"

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

TEST(AppendFile, AFullDiskIsAnErrorThatSaysWhatToDo) {
  AppendFile file("/dev/full");
  try {
    file.Append("bytes");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), 1);
    EXPECT_NE(std::string(e.what()).find("/dev/full"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("free some room"), std::string::npos);
  }
}

TEST(AppendFile, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(AppendFile("/nowhere/file"), Error);
}

// While it lives, no file grows beyond so many bytes.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit_), 0);
    const rlimit limit{bytes, old_limit_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~SmallFiles() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit_), 0); }

 private:
  rlimit old_limit_{};
};

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
