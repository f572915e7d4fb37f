#include "src/envs/delivery/step_pricing.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/oracle/small_memory.h"

namespace dray::delivery {
namespace {

void Improve(StepPricing& pricing, size_t problems) {
  const Problem problem;
  const Plan plan;
  const std::vector<const Problem*> pointers(problems, &problem);
  const std::vector<const Plan*> plans(problems, &plan);
  EXPECT_EQ(pricing.Improve(pointers, plans).size(), problems);
}

TEST(StepPricing, SplitsAndReportsOnceHowOftenMemoryRanOut) {
  const auto oracle = std::make_shared<SmallMemory>(3);
  StepPricing pricing({std::make_shared<CountedOracle>(oracle, /*max_batch=*/8)});
  Improve(pricing, 10);
  EXPECT_EQ(oracle->sizes, (std::vector<size_t>{2, 2, 2, 2, 2}));
  EXPECT_EQ(pricing.TakeUse().splits, 2);
  EXPECT_EQ(pricing.TakeUse().splits, 0);
  // Calls, problems and the mean batch as the oracle met them.
  const std::vector<double> stats = pricing.TakeStats();
  EXPECT_EQ(stats[0], 5);
  EXPECT_EQ(stats[1], 10);
  EXPECT_EQ(stats[2], 2);
}

// Two batches of environments that share an oracle.
struct Sharing {
  std::shared_ptr<SmallMemory> oracle = std::make_shared<SmallMemory>(100);
  std::shared_ptr<CountedOracle> counted =
      std::make_shared<CountedOracle>(oracle, /*max_batch=*/100);
  std::shared_ptr<BatchingOracle> meeting = std::make_shared<BatchingOracle>(counted);
  StepPricing one{{counted, meeting}}, other{{counted, meeting}};
};

TEST(StepPricing, ThoseThatStepSideBySideAreAnsweredByOneCallAStep) {
  Sharing sharing;
  EXPECT_TRUE(sharing.one.shared_oracle());
  sharing.one.OnRollout({.side_model = "", .side_by_side = true});
  sharing.other.OnRollout({.side_model = "", .side_by_side = true});
  std::thread thread([&] {
    for (int step = 0; step < 3; ++step) Improve(sharing.other, 4);
    sharing.other.OnRolloutEnd();
  });
  for (int step = 0; step < 5; ++step) Improve(sharing.one, 10);
  thread.join();
  EXPECT_EQ(sharing.oracle->sizes, (std::vector<size_t>{14, 14, 14, 10, 10}));
}

TEST(StepPricing, OneThatStepsAloneWaitsForNobody) {
  Sharing sharing;
  sharing.one.OnRollout({});
  sharing.other.OnRollout({});
  Improve(sharing.one, 10);
  Improve(sharing.other, 4);
  EXPECT_EQ(sharing.oracle->sizes, (std::vector<size_t>{10, 4}));
}

}  // namespace
}  // namespace dray::delivery
