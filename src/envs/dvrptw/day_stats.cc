#include "src/envs/dvrptw/day_stats.h"

#include <algorithm>

namespace dray::dvrptw {
namespace {

// Removes the second and third element, which compare with no shifts.
template <typename T>
std::vector<T> WithoutShadow(std::vector<T> all) {
  all.erase(all.begin() + 1, all.begin() + 3);
  return all;
}

}  // namespace

std::vector<std::string> DayStatNames(bool with_shadow) {
  const std::vector<std::string> names = {
      "cost_min",    "no_shift_cost_min", "cost_vs_no_shift_pct", "objective_min", "failure",
      "acceptance",  "shift_min",         "patience_min",         "vehicles",      "unserved",
      "shift_min_0", "shift_min_1",       "shift_min_2",          "shift_min_3"};
  return with_shadow ? names : WithoutShadow(names);
}

std::vector<double> DayStats(const Day& day) {
  const DayTotals& totals = day.totals();
  const double cost = Minutes(day.own.cost), no_shift = Minutes(day.shadow.cost);
  const double steps = std::max(1, day.step());
  std::vector<double> stats = {cost,
                               no_shift,
                               no_shift > 0 ? 100 * (cost / no_shift - 1) : 0,
                               cost + totals.patience_min,
                               totals.unserved > 0 ? 1.0 : 0.0,
                               totals.accepted / steps,
                               totals.shift_min / steps,
                               totals.patience_min,
                               1.0 * day.own.plan.routes.size(),
                               1.0 * totals.unserved};
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    const double riders = std::max<int64_t>(1, totals.riders_by_type[type]);
    stats.push_back(totals.shift_by_type[type] / riders);
  }
  return day.with_shadow() ? stats : WithoutShadow(stats);
}

}  // namespace dray::dvrptw
