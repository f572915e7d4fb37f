#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"

namespace dray {

// One oracle for many threads: whoever comes while it is busy waits, and all who wait are answered
// by its next call, in one batch. Nobody waits for others to come.
class BatchingOracle : public Oracle {
 public:
  explicit BatchingOracle(std::unique_ptr<Oracle> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  struct Call {
    std::span<const Problem* const> problems;
    std::span<const Plan* const> plans;
    bool improve = false;
    std::vector<OracleAnswer> answers;
    std::exception_ptr error;
    bool done = false;
  };

  std::vector<OracleAnswer> Join(Call call);
  // Answers all calls of one kind by one call of the other oracle.
  void Answer(std::span<Call* const> calls, bool improve);

  std::unique_ptr<Oracle> inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call*> waiting_;
  bool busy_ = false;
};

}  // namespace dray
