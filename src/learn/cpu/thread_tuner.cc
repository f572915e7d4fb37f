#include "src/learn/cpu/thread_tuner.h"

#include <algorithm>
#include <limits>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr size_t kTimes = 5;      // measurements of each candidate
constexpr size_t kAgain = 5000;   // pieces of work until the next measurement
constexpr double kAsFast = 1.03;  // relative to the fastest
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

ThreadTuner::ThreadTuner(int most_threads) {
  DRAY_CHECK_GE(most_threads, 1);
  for (int threads = 1; threads < most_threads; threads *= 2) {
    candidates_.push_back({threads, kNever});
  }
  candidates_.push_back({most_threads, kNever});
}

bool ThreadTuner::timing() const {
  return candidates_.size() > 1 && tried_ < kTimes * candidates_.size();
}

void ThreadTuner::Took(double seconds) {
  const bool was_timing = timing();
  if (was_timing) {
    double& least = candidates_[tried_ % candidates_.size()].seconds;
    least = std::min(least, seconds);
  }
  ++tried_;
  if (was_timing && !timing()) {
    double least = kNever;
    for (const Candidate& candidate : candidates_) least = std::min(least, candidate.seconds);
    best_ = std::ranges::find_if(candidates_, [&](const Candidate& candidate) {
              return candidate.seconds <= kAsFast * least;
            })->threads;
  }
  if (tried_ < kAgain) return;
  tried_ = 0;
  for (Candidate& candidate : candidates_) candidate.seconds = kNever;
}

}  // namespace dray
