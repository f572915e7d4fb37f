#include "src/envs/dvrptw/step_pricing.h"

#include <gtest/gtest.h>

#include <utility>

namespace dray {
namespace {

// Runs out of memory above a size.
class SmallMemory : public Oracle {
 public:
  explicit SmallMemory(size_t fits) : fits_(fits) {}
  std::string name() const override { return "small"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    if (problems.size() > fits_) throw OutOfMemory();
    sizes.push_back(problems.size());
    return std::vector<OracleAnswer>(problems.size());
  }
  std::vector<size_t> sizes;

 private:
  size_t fits_;
};

void Improve(StepPricing& pricing, size_t problems) {
  const Problem problem;
  const Plan plan;
  const std::vector<const Problem*> pointers(problems, &problem);
  const std::vector<const Plan*> plans(problems, &plan);
  EXPECT_EQ(pricing.Improve(pointers, plans).size(), problems);
}

TEST(StepPricing, SplitsAndReportsOnceHowOftenMemoryRanOut) {
  const auto oracle = std::make_shared<SmallMemory>(3);
  StepPricing pricing({.oracle = oracle, .note = ""}, /*max_batch=*/8);
  Improve(pricing, 10);
  EXPECT_EQ(oracle->sizes, (std::vector<size_t>{2, 2, 2, 2, 2}));
  EXPECT_EQ(pricing.TakeUse().splits, 2);
  EXPECT_EQ(pricing.TakeUse().splits, 0);
  // One call for the step, however many parts there were.
  EXPECT_EQ(pricing.TakeStats()[0], 1);
}

TEST(StepPricing, AnOracleThatSplitsByItselfGetsTheWholeStep) {
  const auto oracle = std::make_shared<SmallMemory>(100);
  int64_t splits = 3;
  StepPricing pricing(
      {.oracle = oracle, .note = "", .take_splits = [&] { return std::exchange(splits, 0); }},
      /*max_batch=*/8);
  Improve(pricing, 10);
  EXPECT_EQ(oracle->sizes, (std::vector<size_t>{10}));
  EXPECT_EQ(pricing.TakeUse().splits, 3);
  EXPECT_EQ(pricing.TakeUse().splits, 0);
}

}  // namespace
}  // namespace dray
