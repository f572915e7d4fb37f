#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"

namespace dray {

// Thrown by an oracle when a batch does not fit in its memory; std::bad_alloc is treated alike.
class OutOfMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "out of memory"; }
};

// Splits batches into parts of at most `max_batch` problems. When the inner oracle runs out of
// memory, halves the part and keeps the smaller limit. Throws an Error if a single problem does not
// fit. Other threads may read limit() and splits() at any time.
class SplittingOracle : public Oracle {
 public:
  SplittingOracle(std::shared_ptr<Oracle> inner, size_t max_batch);

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

  // Current size of the largest part.
  size_t limit() const { return limit_; }
  // Number of times a part was halved.
  int64_t splits() const { return splits_; }
  // Returns the splits since the last TakeSplits; each is reported to exactly one caller.
  int64_t TakeSplits() { return untaken_splits_.exchange(0); }

 private:
  template <typename Call>
  std::vector<OracleAnswer> InParts(std::span<const Problem* const> problems, const Call& call);

  std::shared_ptr<Oracle> inner_;
  std::atomic<size_t> limit_;
  std::atomic<int64_t> splits_ = 0;
  std::atomic<int64_t> untaken_splits_ = 0;
};

}  // namespace dray
