#include "src/oracle/timed.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

class NoWork : public Oracle {
 public:
  std::string name() const override { return "no work"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    return std::vector<OracleAnswer>(problems.size());
  }
};

TEST(TimedOracle, CountsCallsAndBatchSizes) {
  TimedOracle oracle(std::make_unique<NoWork>());
  EXPECT_EQ(oracle.times().calls, 0);
  const Problem problem;
  const std::vector<const Problem*> pointers(64, &problem);
  for (const size_t size : {64, 3, 64}) {
    EXPECT_EQ(oracle.Solve(std::span(pointers).first(size)).size(), size);
  }
  const OracleTimes times = oracle.times();
  EXPECT_EQ(times.calls, 3);
  EXPECT_EQ(times.problems, 131);
  EXPECT_GE(times.seconds, 0);
  EXPECT_EQ(times.batch_sizes, (std::map<size_t, int64_t>{{3, 1}, {64, 2}}));
}

}  // namespace
}  // namespace dray
