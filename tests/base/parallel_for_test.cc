#include "src/base/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace dray {
namespace {

TEST(ParallelFor, MeetsEveryIndexOnce) {
  for (const int threads : {1, 3, 8}) {
    for (const size_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> met(count);
      ParallelFor(threads, count, [&](size_t i, int thread) {
        EXPECT_GE(thread, 0);
        EXPECT_LT(thread, threads);
        ++met[i];
      });
      for (const auto& times : met) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, ThrowsWhatABodyThrew) {
  for (const int threads : {1, 4}) {
    EXPECT_THROW(ParallelFor(threads, 100,
                             [](size_t i, int) {
                               if (i == 37) throw std::runtime_error("37");
                             }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace dray
