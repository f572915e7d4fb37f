#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

namespace dray {

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

}  // namespace dray
