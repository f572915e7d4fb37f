#include "src/output/return_trend.h"

#include <cmath>

namespace dray {
namespace {

constexpr double kEpisodesOfMean = 100;

}  // namespace

void ReturnTrend::Add(const Report& report) {
  best_evaluation_ = std::fmax(best_evaluation_, report.Get("eval/return_mean"));
  if (report.Has("eval/gain_mean")) compared_ = report;
  const double mean = report.Get("episode/return_mean");
  if (!std::isfinite(mean)) return;
  best_return_ = std::fmax(best_return_, mean);
  const double episodes = report.Get("completed_episodes"), std = report.Get("episode/return_std");
  if (!(episodes >= kEpisodesOfMean)) return;
  recent_.push_back({episodes, mean, std::isfinite(std) ? std * std / kEpisodesOfMean : 0});
  while (recent_.size() > 2 && recent_[1].episodes <= episodes - kEpisodesOfMean) {
    recent_.pop_front();
  }
}

std::string ReturnTrend::arrow() const {
  if (recent_.empty()) return "";
  const Mean &before = recent_.front(), &now = recent_.back();
  if (before.episodes > now.episodes - kEpisodesOfMean) return "";
  const double change = now.mean - before.mean;
  if (std::abs(change) <= std::sqrt(before.variance + now.variance)) return "→";
  return change > 0 ? "↑" : "↓";
}

}  // namespace dray
