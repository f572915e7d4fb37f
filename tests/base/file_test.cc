#include "src/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

std::string WhyNotWritten(const std::string& path) {
  try {
    ::close(OpenToWrite(path, O_WRONLY));
    return "it was opened";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(File, WhatIsNoFileIsNotWrittenAndNotWaitedFor) {
  const std::string folder = Folder();
  const std::string pipe = folder + "/pipe", link = folder + "/link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", link);
  for (const std::string& path : {pipe, link}) {
    EXPECT_EQ(
        WhyNotWritten(path),
        "cannot write " + path +
            ": it is a pipe, not a file (remove it, or choose another folder with --run-dir)");
  }
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_NE(WhyNotWritten(pipe).find("it is a pipe"), std::string::npos);
  ::close(reader);
  EXPECT_NE(WhyNotWritten("/dev/null").find("it is a device"), std::string::npos);
  EXPECT_NE(WhyNotWritten(folder).find("Is a directory"), std::string::npos);
  EXPECT_EQ(WhyNotWritten(folder + "/file"), "it was opened");
}

TEST(File, APipeInTheWayOfAFileIsAnError) {
  const std::string folder = Folder();
  ASSERT_EQ(::mkfifo((folder + "/a.tmp").c_str(), 0600), 0);
  EXPECT_THROW(WriteFileAtomically(folder + "/a", "bytes"), Error);
  ASSERT_EQ(::mkfifo((folder + "/.writable").c_str(), 0600), 0);
  EXPECT_THROW(MakeWritableFolder(folder), Error);
}

TEST(File, AFileAtItsLimitIsToldTheLimit) {
  EXPECT_EQ(std::string(CannotWrite("a", EFBIG).what()),
            "cannot write a: File too large (raise the file size limit, ulimit -f, or choose "
            "another folder with --run-dir)");
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
