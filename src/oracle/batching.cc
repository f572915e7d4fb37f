#include "src/oracle/batching.h"

#include <utility>

#include "src/base/error.h"

namespace dray {

std::vector<OracleAnswer> BatchingOracle::Solve(std::span<const Problem* const> problems) {
  Call call;
  call.problems = problems;
  return Join(std::move(call));
}

std::vector<OracleAnswer> BatchingOracle::Improve(std::span<const Problem* const> problems,
                                                  std::span<const Plan* const> plans) {
  DRAY_CHECK_EQ(problems.size(), plans.size());
  Call call;
  call.problems = problems;
  call.plans = plans;
  call.improve = true;
  return Join(std::move(call));
}

std::vector<OracleAnswer> BatchingOracle::Join(Call call) {
  {
    std::unique_lock lock(mutex_);
    if (waiting_.empty()) first_came_ = std::chrono::steady_clock::now();
    waiting_.push_back(&call);
    changed_.notify_all();
    changed_.wait(lock, [&] { return call.done || !busy_; });
    if (!call.done) {
      // This thread makes the call for all callers waiting by then.
      busy_ = true;
      Gather(lock);
      const std::vector<Call*> calls = std::exchange(waiting_, {});
      lock.unlock();
      Answer(calls, /*improve=*/false);
      Answer(calls, /*improve=*/true);
      lock.lock();
      for (Call* other : calls) other->done = true;
      busy_ = false;
      changed_.notify_all();
    }
  }
  if (call.error) std::rethrow_exception(call.error);
  return std::move(call.answers);
}

void BatchingOracle::Attend(int change) {
  const std::lock_guard lock(mutex_);
  attending_ += change;
  changed_.notify_all();
}

void BatchingOracle::Gather(std::unique_lock<std::mutex>& lock) {
  if (attending_ > 0) {
    changed_.wait(lock, [&] { return std::ssize(waiting_) >= attending_; });
  } else if (gathering_.max_wait.count() > 0) {
    changed_.wait_until(lock, first_came_ + gathering_.max_wait, [&] { return Complete(); });
  }
}

bool BatchingOracle::Complete() const {
  if (waiting_.size() >= gathering_.callers) return true;
  size_t problems = 0;
  for (const Call* call : waiting_) problems += call->problems.size();
  return problems >= gathering_.problems;
}

void BatchingOracle::Answer(std::span<Call* const> calls, bool improve) {
  std::vector<const Problem*> problems;
  std::vector<const Plan*> plans;
  for (const Call* call : calls) {
    if (call->improve != improve) continue;
    problems.insert(problems.end(), call->problems.begin(), call->problems.end());
    plans.insert(plans.end(), call->plans.begin(), call->plans.end());
  }
  if (problems.empty()) return;
  try {
    auto answers = improve ? inner_->Improve(problems, plans) : inner_->Solve(problems);
    auto next = std::make_move_iterator(answers.begin());
    for (Call* call : calls) {
      if (call->improve != improve) continue;
      const auto end = next + std::ssize(call->problems);
      call->answers.assign(next, end);
      next = end;
    }
  } catch (...) {
    for (Call* call : calls) {
      if (call->improve == improve) call->error = std::current_exception();
    }
  }
}

}  // namespace dray
