#include "src/oracle/counted.h"

#include <gtest/gtest.h>

#include "tests/oracle/small_memory.h"

namespace dray {
namespace {

void Ask(Oracle& oracle, size_t problems) {
  const Problem problem;
  const std::vector<const Problem*> pointers(problems, &problem);
  EXPECT_EQ(oracle.Solve(pointers).size(), problems);
}

TEST(CountedOracle, APartIsACall) {
  CountedOracle oracle(std::make_shared<SmallMemory>(100), /*max_batch=*/4);
  Ask(oracle, 10);
  const OracleCalls taken = oracle.TakeCalls();
  EXPECT_EQ(taken.calls, 3);
  EXPECT_EQ(taken.problems, 10);
  EXPECT_EQ(oracle.TakeSplits(), 0);
}

TEST(CountedOracle, WhatDidNotFitIsNoCall) {
  CountedOracle oracle(std::make_shared<SmallMemory>(3), /*max_batch=*/8);
  Ask(oracle, 10);
  EXPECT_EQ(oracle.TakeCalls().calls, 5);
  EXPECT_EQ(oracle.TakeSplits(), 2);
}

TEST(CountedOracle, NothingIsTakenTwice) {
  CountedOracle oracle(std::make_shared<SmallMemory>(100), /*max_batch=*/8);
  Ask(oracle, 8);
  EXPECT_EQ(oracle.TakeCalls().calls, 1);
  EXPECT_EQ(oracle.TakeCalls().calls, 0);
  Ask(oracle, 3);
  const OracleCalls taken = oracle.TakeCalls();
  EXPECT_EQ(taken.calls, 1);
  EXPECT_EQ(taken.problems, 3);
}

}  // namespace
}  // namespace dray
