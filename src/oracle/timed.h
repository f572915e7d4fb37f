#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"

namespace dray {

// Calls of an oracle so far.
struct OracleTimes {
  int64_t calls = 0;
  int64_t problems = 0;
  double seconds = 0;
  std::map<size_t, int64_t> batch_sizes;  // number of calls by batch size
};

// Counts and times the calls of another oracle. Other threads may read times() at any time.
class TimedOracle : public Oracle {
 public:
  explicit TimedOracle(std::shared_ptr<Oracle> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

  OracleTimes times() const;

 private:
  template <typename Call>
  std::vector<OracleAnswer> Timed(size_t problems, const Call& call);

  std::shared_ptr<Oracle> inner_;
  mutable std::mutex mutex_;
  OracleTimes times_;
};

}  // namespace dray
