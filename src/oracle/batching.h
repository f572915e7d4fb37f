#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/oracle/oracle.h"

namespace dray {

// How long a batch stays open for others.
struct Gathering {
  // What the first of a batch waits at most, counted from when it came. 0: nobody waits for others
  // to come.
  std::chrono::microseconds max_wait{0};
  // With as many calls, or as many problems, there is nobody left to wait for, or no room.
  size_t callers = std::numeric_limits<size_t>::max();
  size_t problems = std::numeric_limits<size_t>::max();
};

// One oracle for many threads: whoever comes while it is busy or gathers waits, and all who wait
// are answered by its next call, in one batch. As long as somebody attends, a batch is open until
// as many wait as attend: threads that step side by side are answered by one call per step.
class BatchingOracle : public Oracle {
 public:
  explicit BatchingOracle(std::shared_ptr<Oracle> inner, const Gathering& gathering = {})
      : inner_(std::move(inner)), gathering_(gathering) {}

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

  // A thread that will call again and again until it gives this back. The others wait for its
  // calls, so that it must not wait for them in any other way.
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
  // Nobody else may still come, or be taken along.
  bool Complete() const;
  // Answers all calls of one kind by one call of the other oracle.
  void Answer(std::span<Call* const> calls, bool improve);

  std::shared_ptr<Oracle> inner_;
  const Gathering gathering_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call*> waiting_;
  std::chrono::steady_clock::time_point first_came_;  // the first of waiting_
  int attending_ = 0;
  bool busy_ = false;
};

}  // namespace dray
