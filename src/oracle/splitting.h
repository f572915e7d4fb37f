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

// What an oracle throws when a batch is too large for its memory; std::bad_alloc counts too.
class OutOfMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "out of memory"; }
};

// Hands batches on in parts of at most max_batch problems. When the other oracle runs out of
// memory, parts are halved and the smaller size is kept from then on; a single problem that does
// not fit is an Error. Other threads may read limit and splits meanwhile.
class SplittingOracle : public Oracle {
 public:
  SplittingOracle(std::shared_ptr<Oracle> inner, size_t max_batch);

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

  // The largest part as of now.
  size_t limit() const { return limit_; }
  // How often a part was halved so far.
  int64_t splits() const { return splits_; }
  // The same since anybody last called this: of several who report, each split is with one.
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
