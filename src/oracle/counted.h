#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"
#include "src/oracle/splitting.h"
#include "src/oracle/timed.h"

namespace dray {

struct OracleCalls {
  int64_t calls = 0;
  int64_t problems = 0;
};

// Splits batches like SplittingOracle and counts the calls that reach the inner oracle. When
// several callers share it, each call is reported to exactly one of them.
class CountedOracle : public Oracle {
 public:
  CountedOracle(std::shared_ptr<Oracle> inner, size_t max_batch)
      : timed_(std::make_shared<TimedOracle>(std::move(inner))), splitting_(timed_, max_batch) {}

  std::string name() const override { return splitting_.name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    return splitting_.Solve(problems);
  }
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override {
    return splitting_.Improve(problems, plans);
  }

  // Returns the calls since the last TakeCalls by any caller.
  OracleCalls TakeCalls();
  // Returns how often memory ran out since the last TakeSplits by any caller.
  int64_t TakeSplits() { return splitting_.TakeSplits(); }

 private:
  std::shared_ptr<TimedOracle> timed_;
  SplittingOracle splitting_;
  std::mutex mutex_;
  OracleCalls taken_;
};

}  // namespace dray
