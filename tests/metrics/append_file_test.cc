#include "src/metrics/append_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
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

TEST(AppendFile, ARecordThatDoesNotFitLeavesTheFileAsItWas) {
  const std::string path = FreshPath("limited");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit limit{1000, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  {
    AppendFile file(path);
    file.Append(std::string(600, 'a'));
    EXPECT_THROW(file.Append(std::string(600, 'b')), Error);
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  EXPECT_EQ(ReadFile(path), std::string(600, 'a'));
}

}  // namespace
}  // namespace dray
