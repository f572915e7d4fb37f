#pragma once

#include <chrono>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/base/condition.h"
#include "src/oracle/oracle.h"

namespace dray {

// Limits on how long a batch stays open for more calls.
struct Gathering {
  // Longest wait of the first call of a batch, from its arrival. 0: no call waits for others.
  std::chrono::microseconds max_wait{0};
  // Number of calls, or of problems, that closes the batch at once.
  size_t callers = std::numeric_limits<size_t>::max();
  size_t problems = std::numeric_limits<size_t>::max();
};

// Lets many threads share one oracle. Calls that arrive while it is busy or gathering wait, and its
// next call answers all of them in one batch. While threads are attending, a batch stays open until
// all of them are waiting, so threads that step side by side cost one call per step.
class BatchingOracle : public Oracle {
 public:
  explicit BatchingOracle(std::shared_ptr<Oracle> inner, const Gathering& gathering = {})
      : inner_(std::move(inner)), gathering_(gathering) {}

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

  // Declares that a thread will call repeatedly while this object lives. The other threads wait for
  // its calls, so it must not wait for them in any other way.
  class Attendance {
   public:
    explicit Attendance(std::shared_ptr<BatchingOracle> oracle) : oracle_(std::move(oracle)) {
      oracle_->Attend(1);
    }
    ~Attendance() { oracle_->Attend(-1); }
    Attendance(const Attendance&) = delete;
    Attendance& operator=(const Attendance&) = delete;

   private:
    std::shared_ptr<BatchingOracle> oracle_;
  };

 private:
  struct Call {
    std::span<const Problem* const> problems;
    std::span<const Plan* const> plans;
    bool improve = false;
    std::vector<OracleAnswer> answers;
    std::exception_ptr error;
    bool done = false;
  };

  void Attend(int change);
  std::vector<OracleAnswer> Join(Call call);
  // Returns when the batch is closed.
  void Gather(std::unique_lock<std::mutex>& lock);
  // Returns true if no other call can still join the batch.
  bool Complete() const;
  // Answers all calls of one kind with one call of the inner oracle.
  void Answer(std::span<Call* const> calls, bool improve);

  std::shared_ptr<Oracle> inner_;
  const Gathering gathering_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call*> waiting_;
  std::chrono::steady_clock::time_point first_came_;  // arrival of the first in waiting_
  int attending_ = 0;
  bool busy_ = false;
};

}  // namespace dray
