#include "src/envs/cage2/scan_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "src/envs/cage2/monitor.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

using testing::ElementsAre;

uint64_t Showing(Activity activity, int host) {
  return static_cast<uint64_t>(activity) << (ObservationShift(host) + 2);
}

TEST(ScanMemory, TellsTheLatestFromEarlierOnes) {
  ScanMemory memory;
  memory.Look(Showing(Activity::kScan, kUser1), ShippedNetwork());
  memory.Look(Showing(Activity::kScan, kOpServer0), ShippedNetwork());
  EXPECT_THAT(std::span(memory.values).first(10), ElementsAre(0, 0, 0, 0, 2, 0, 1, 0, 0, 0));
  memory.Look(Showing(Activity::kScan, kUser1), ShippedNetwork());
  EXPECT_THAT(std::span(memory.values).first(10), ElementsAre(0, 0, 0, 0, 1, 0, 2, 0, 0, 0));
}

TEST(ScanMemory, KeepsTheLatestUntilTheNext) {
  ScanMemory memory;
  memory.Look(Showing(Activity::kScan, kUser4), ShippedNetwork());
  memory.Look(0, ShippedNetwork());
  memory.Look(Showing(Activity::kExploit, kUser1), ShippedNetwork());
  EXPECT_THAT(std::span(memory.values).first(10), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 2));
}

TEST(ScanMemory, OfSeveralInOneStepOnlyTheFirstCounts) {
  ScanMemory memory;
  memory.Look(Showing(Activity::kScan, kUser2) | Showing(Activity::kScan, kEnterprise1),
              ShippedNetwork());
  EXPECT_THAT(std::span(memory.values).first(10), ElementsAre(0, 0, 2, 0, 0, 0, 0, 0, 0, 0));
}

TEST(ScanMemory, IgnoresTheOtherOpHosts) {
  ScanMemory memory;
  for (const Host host : {kOpHost0, kOpHost1, kOpHost2})
    memory.Look(Showing(Activity::kScan, host), ShippedNetwork());
  EXPECT_EQ(memory.values, ScanMemory{}.values);
}

TEST(ScanMemory, RefusesOtherValues) {
  ScanMemory memory;
  EXPECT_TRUE(memory.Plausible());
  memory.values[3] = 3;
  EXPECT_FALSE(memory.Plausible());
}

}  // namespace
}  // namespace dray::cage2
