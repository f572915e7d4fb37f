#include "src/base/thread_team.h"

#include <chrono>
#include <utility>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr std::chrono::microseconds kSpin{50};

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

// Waits until `value` differs from `from`, spinning for a moment before sleeping. Returns the new
// value.
template <typename T>
T Changed(const std::atomic<T>& value, T from) {
  const auto until = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      const T now = value.load(std::memory_order_acquire);
      if (now != from) return now;
      Pause();
    }
  } while (std::chrono::steady_clock::now() < until);
  value.wait(from, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  DRAY_CHECK_GE(threads, 1);
  for (int member = 1; member < threads; ++member) {
    others_.emplace_back([this, member] { Serve(member); });
  }
  Use(threads);
}

ThreadTeam::~ThreadTeam() {
  ending_ = true;
  number_ += 2;
  number_.notify_all();
  for (std::thread& other : others_) other.join();
}

ThreadTeam& ThreadTeam::Alone() {
  static ThreadTeam alone(1);
  return alone;
}

void ThreadTeam::Use(int threads) {
  DRAY_CHECK_GE(threads, 1);
  DRAY_CHECK_LE(threads, most_threads());
  working_.store(threads, std::memory_order_relaxed);
}

void ThreadTeam::Share(int count, Call call, const void* work) {
  DRAY_CHECK_LE(count, kMostItems);
  const uint64_t number = number_.load(std::memory_order_relaxed) + 2;
  number_.store(number - 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  count_.store(count, std::memory_order_relaxed);
  call_.store(call, std::memory_order_relaxed);
  work_.store(work, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  number_.store(number, std::memory_order_release);
  number_.notify_all();

  Work(0, number, count, call, work);
  for (int done = done_.load(std::memory_order_acquire); done < count;) {
    done = Changed(done_, done);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadTeam::Serve(int member) {
  uint64_t seen = 0;
  while (true) {
    const uint64_t number = Changed(number_, seen);
    if (ending_) return;
    seen = number;
    if (number % 2 == 1) continue;
    const int count = count_.load(std::memory_order_relaxed);
    const Call call = call_.load(std::memory_order_relaxed);
    const void* work = work_.load(std::memory_order_relaxed);
    const int working = threads();
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool whole = number_.load(std::memory_order_relaxed) == number;
    if (whole && member < working) Work(member, number, count, call, work);
  }
}

// All items of a call have been started by the time it ends, and stay marked. A late thread, even
// if the next call is under way, finds nothing to do.
void ThreadTeam::Work(int member, uint64_t number, int count, Call call, const void* work) {
  const int first = count * member / threads();
  for (int i = 0; i < count; ++i) {
    const int item = (first + i) % count;
    std::atomic<uint64_t>& begun = begun_[item];
    uint64_t last = begun.load(std::memory_order_relaxed);
    if (last >= number || !begun.compare_exchange_strong(last, number)) continue;
    try {
      call(work, item);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done_.notify_one();
  }
}

}  // namespace dray
