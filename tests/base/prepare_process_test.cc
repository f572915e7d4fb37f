#include "src/base/prepare_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace dray {
namespace {

// How a process ends that does this alone: its exit code, or minus the signal that ended it.
int EndOf(int (*body)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int OpenFile() {
  static const std::string path = testing::TempDir() + "/prepare_process_test";
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

void CloseFrom(int first) { ::close_range(static_cast<unsigned>(first), ~0u, 0); }

TEST(PrepareProcess, AFileNeverTakesTheNumberOfAStandardDescriptor) {
  EXPECT_EQ(EndOf([] {
              CloseFrom(0);
              return OpenFile();
            }),
            0);
  EXPECT_EQ(EndOf([] {
              CloseFrom(0);
              PrepareProcess();
              return OpenFile();
            }),
            3);
  EXPECT_EQ(EndOf([] {
              CloseFrom(1);
              PrepareProcess();
              const bool writable = ::write(1, "x", 1) == 1 && ::write(2, "x", 1) == 1;
              return writable ? OpenFile() : -1;
            }),
            3);
}

TEST(PrepareProcess, OpenDescriptorsStayWhatTheyAre) {
  EXPECT_EQ(EndOf([] {
              CloseFrom(0);
              OpenFile();
              PrepareProcess();
              return ::write(0, "x", 1) == 1 && ::lseek(0, 0, SEEK_CUR) == 1 ? 0 : 1;
            }),
            0);
}

int WriteBeyondTheLimit() {
  const rlimit limit{1, 1};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return -1;
  const int fd = OpenFile();
  if (::write(fd, "x", 1) != 1) return -1;
  return ::write(fd, "x", 1) < 0 ? errno : 0;
}

TEST(PrepareProcess, AFileAtItsLimitMakesAWriteFail) {
  EXPECT_EQ(EndOf(WriteBeyondTheLimit), -SIGXFSZ);
  EXPECT_EQ(EndOf([] {
              PrepareProcess();
              return WriteBeyondTheLimit();
            }),
            EFBIG);
}

}  // namespace
}  // namespace dray
