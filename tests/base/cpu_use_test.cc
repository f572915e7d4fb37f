#include "src/base/cpu_use.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace dray {
namespace {

TEST(CpuUse, IsAShareOfAllCores) {
  CpuUse use;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) {
  }
  const double share = use.TakeShare();
  // This loop alone is a core's worth, or what others leave of one, and those are at work as well.
  EXPECT_GT(share, 0);
  EXPECT_LE(share, 1);
}

TEST(CpuUse, IsNotKnownOfNoTime) {
  CpuUse use;
  const double share = use.TakeShare();  // a tick has hundredths of a second
  EXPECT_TRUE(std::isnan(share) || (share >= 0 && share <= 1));
}

}  // namespace
}  // namespace dray
