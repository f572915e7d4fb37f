#include "src/base/file.h"

#include <gtest/gtest.h>

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

TEST(File, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_THROW(MakeWritableFolder("/proc/nothing"), Error);
}

}  // namespace
}  // namespace dray
