#include "src/loop/cpu_use.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

namespace dray {
namespace {

TEST(CpuUse, IsAShareOfAllCores) {
  CpuUse use;
  // Processor time, which a busy machine gives later.
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
  while (std::clock() < end) {
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
