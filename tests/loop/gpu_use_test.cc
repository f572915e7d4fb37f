#include "src/loop/gpu_use.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray {
namespace {

TEST(GpuUse, IsAShareWhereThereAreGpus) {
  GpuUse use;
  const double share = use.TakeShare();
  if (use.has_gpus()) {
    EXPECT_TRUE(std::isnan(share) || (share >= 0 && share <= 1)) << share;
  } else {
    EXPECT_TRUE(std::isnan(share));
  }
}

TEST(GpuUse, KnowsTheMemoryWhereThereAreGpus) {
  const GpuUse use;
  const double megabytes = use.MemoryMegabytes();
  EXPECT_TRUE(use.has_gpus() ? megabytes > 0 : std::isnan(megabytes)) << megabytes;
}

}  // namespace
}  // namespace dray
