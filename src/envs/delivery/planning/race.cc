#include "src/envs/delivery/planning/race.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dray::delivery {
namespace {

constexpr size_t kLook = 8;  // futures between two checks for actions that are clearly worse
constexpr size_t kFirstLook = 16;
// Standard errors of a paired difference; with many checks and many actions, two would be too few.
constexpr double kClearly = 3;

}  // namespace

void Race::Begin(std::span<const int> actions, const Prior& prior) {
  runners_.clear();
  for (const int action : actions) runners_.push_back({.action = action, .values = {}, .score = 0});
  prior_ = prior;
  begun_ = std::chrono::steady_clock::now();
}

bool Race::TimeIsUp(const RaceLimits& limits) const {
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun_;
  return limits.decision_ms > 0 && took.count() > limits.decision_ms;
}

bool Race::Decided() {
  const size_t played = runners_[0].values.size();
  if (played >= kFirstLook && played % kLook == 0) DropWorse();
  return runners_.size() == 1;
}

int Race::Best() {
  Rank();
  return runners_[0].action;
}

void Race::Rank() {
  for (Runner& runner : runners_) {
    const double count = runner.values.size();
    double sum = std::accumulate(runner.values.begin(), runner.values.end(), 0.0);
    if (!prior_.values.empty()) {
      sum += prior_.futures * prior_.values[runner.action];
    }
    runner.score = sum / std::max(1.0, count + prior_.futures);
  }
  std::ranges::stable_sort(runners_, {}, &Runner::score);
}

void Race::DropWorse() {
  Rank();
  const std::vector<double> best = runners_[0].values;
  const double best_score = runners_[0].score;
  const double count = best.size();
  std::erase_if(runners_, [&](const Runner& runner) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < best.size(); ++i) mean += (runner.values[i] - best[i]) / count;
    for (size_t i = 0; i < best.size(); ++i) {
      const double off = runner.values[i] - best[i] - mean;
      squares += off * off;
    }
    const double error =
        std::sqrt(squares / (count - 1) / count) * count / (count + prior_.futures);
    return runner.score - best_score > kClearly * error && squares > 0;
  });
}

}  // namespace dray::delivery
