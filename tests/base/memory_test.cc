#include "src/base/memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace dray {
namespace {

// A machine that is not this one.
class Memory : public testing::Test {
 protected:
  void Write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  const std::string root =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
};

constexpr char kMeminfo[] =
    "MemTotal:       32000000 kB\nMemFree:  1000 kB\nMemAvailable:   20000000 kB\nHugePages_Total: "
    "0\n";

TEST_F(Memory, IsFreeAsTheMachineSays) {
  Write("/proc/meminfo", kMeminfo);
  EXPECT_EQ(FreeMemoryBytes(root), 20480000000);
  Write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(FreeMemoryBytes(root), 20480000000);
}

TEST_F(Memory, IsNoMoreThanAContainerIsAllowed) {
  Write("/proc/meminfo", kMeminfo);
  Write("/sys/fs/cgroup/memory.max", "4000000000\n");
  EXPECT_EQ(FreeMemoryBytes(root), 4000000000);
}

TEST_F(Memory, IsNoMoreThanAnOlderContainerIsAllowed) {
  Write("/proc/meminfo", kMeminfo);
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(FreeMemoryBytes(root), 20480000000);
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000000\n");
  EXPECT_EQ(FreeMemoryBytes(root), 5000000000);
}

TEST_F(Memory, OfThisMachineIsKnown) {
  EXPECT_GT(FreeMemoryBytes(), 0);
  EXPECT_LE(FreeMemoryBytes(), MachineMemoryBytes());
}

}  // namespace
}  // namespace dray
