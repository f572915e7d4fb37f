#include "src/metrics/return_trend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dray {
namespace {

constexpr size_t kBefore = 5;
constexpr double kEpisodesOfMean = 100;

}  // namespace

void ReturnTrend::Add(const Report& report) {
  best_evaluation_ = std::fmax(best_evaluation_, report.Get("eval/return_mean"));
  if (report.Has("eval/gain_mean")) compared_ = report;
  const double mean = report.Get("episode/return_mean");
  if (!std::isfinite(mean)) return;
  best_return_ = std::fmax(best_return_, mean);
  const double episodes = report.Get("completed_episodes");
  const double count =
      std::isfinite(episodes) ? std::clamp(episodes, 1.0, kEpisodesOfMean) : kEpisodesOfMean;
  const double std = report.Get("episode/return_std");
  error_ = std::isfinite(std) ? std / std::sqrt(count) : 0;
  recent_.push_back(mean);
  if (recent_.size() > kBefore + 1) recent_.pop_front();
}

std::string ReturnTrend::arrow() const {
  if (recent_.size() < 2) return "";
  const double before = std::accumulate(recent_.begin(), recent_.end() - 1, 0.0) /
                        static_cast<double>(recent_.size() - 1);
  const double change = recent_.back() - before;
  if (std::abs(change) <= error_) return "→";
  return change > 0 ? "↑" : "↓";
}

}  // namespace dray
