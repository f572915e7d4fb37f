#include "src/nets/cuda_mlp.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

constexpr int64_t kKilobyte = 1024;

TEST(CudaMlp, TilesFitTheSharedMemoryOfABlock) {
  const std::vector<int64_t> sizes = {4, 64, 64, 2};
  // The backward kernel keeps three layers of values and one of weights, 64 rows of 65.
  for (const int64_t kilobytes : {48, 64, 99, 163, 227}) {
    const int64_t rows = CudaMlp::RowsThatFit(sizes, kilobytes * kKilobyte);
    const auto bytes = [](int64_t count) { return int64_t{4} * (3 * 64 * count + 64 * 65); };
    EXPECT_LE(bytes(rows), kilobytes * kKilobyte);
    EXPECT_GT(bytes(rows + 1), kilobytes * kKilobyte);
  }
}

TEST(CudaMlp, WeightsThatDoNotFitLeaveNoRows) {
  EXPECT_EQ(CudaMlp::RowsThatFit({8, 180, 180, 4}, 99 * kKilobyte), 0);
}

}  // namespace
}  // namespace dray
