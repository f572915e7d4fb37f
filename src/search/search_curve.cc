#include "src/search/search_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace dray {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double Value(const OrderScore& score) {
  return std::isfinite(score.pooled.mean_return) ? score.pooled.mean_return
                                                 : -std::numeric_limits<double>::infinity();
}

double FinalValue(std::span<const OrderScore> scores, int order) {
  const auto found = std::ranges::find(scores, order, &OrderScore::order);
  return found == scores.end() ? kNone : found->pooled.mean_return;
}

}  // namespace

std::vector<OrderScore> ScoresOf(const OrderSearch& search, std::span<const FinishedTrial> trials) {
  std::map<int, std::vector<TrialResult>> counted, others;
  for (const FinishedTrial& one : trials) {
    (search.Counts(one.result) ? counted : others)[one.trial.order].push_back(one.result);
  }
  std::vector<OrderScore> scores;
  for (const auto& [order, results] : counted) {
    const int more = others.contains(order) ? others[order].size() : 0;
    scores.push_back({order, static_cast<int>(results.size()) + more, true, Pooled(results)});
  }
  for (const auto& [order, results] : others) {
    if (counted.contains(order)) continue;
    scores.push_back({order, static_cast<int>(results.size()), false, Pooled(results)});
  }
  std::ranges::stable_sort(scores, [](const OrderScore& a, const OrderScore& b) {
    if (a.counts != b.counts) return a.counts;
    return Value(a) > Value(b);
  });
  return scores;
}

std::vector<CurvePoint> CurveOf(const OrderSearch& search, std::span<const FinishedTrial> trials,
                                std::span<const double> truth) {
  const std::vector<OrderScore> final_scores = ScoresOf(search, trials);
  std::vector<CurvePoint> curve;
  double sum = 0;
  int finite = 0;
  for (size_t i = 0; i < trials.size(); ++i) {
    const double mean_return = trials[i].result.mean_return;
    if (std::isfinite(mean_return)) {
      sum += mean_return;
      ++finite;
    }
    CurvePoint point{-1, kNone, finite > 0 ? sum / finite : kNone, kNone, kNone};
    const std::vector<OrderScore> scores = ScoresOf(search, trials.first(i + 1));
    if (scores.front().counts) {
      point.best_order = scores.front().order;
      point.best_return = scores.front().pooled.mean_return;
      point.regret_to_found =
          final_scores.front().pooled.mean_return - FinalValue(final_scores, point.best_order);
      if (!truth.empty()) {
        point.regret_to_optimum = std::ranges::max(truth) - truth[point.best_order];
      }
    }
    curve.push_back(point);
  }
  return curve;
}

}  // namespace dray
