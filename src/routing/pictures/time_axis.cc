#include "src/routing/pictures/time_axis.h"

#include <algorithm>

namespace dray {
namespace {

// Returns the smallest round step of at least `least` ticks.
int64_t RoundStep(double least, int ticks_per_unit, bool clock) {
  if (clock) {
    for (const int64_t minutes : {1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720}) {
      if (minutes * ticks_per_unit >= least) return minutes * ticks_per_unit;
    }
    const int64_t day = int64_t{24 * 60} * ticks_per_unit;
    return day * std::max<int64_t>(1, static_cast<int64_t>(least / day) + 1);
  }
  for (int64_t power = 1;; power *= 10) {
    for (const int64_t digit : {1, 2, 5}) {
      if (digit * power >= least) return digit * power;
    }
  }
}

}  // namespace

TimeAxis::TimeAxis(int64_t begin, int64_t end, double left, double right)
    : begin_(begin), end_(std::max(end, begin + 1)), left_(left), right_(right) {}

double TimeAxis::X(int64_t ticks) const {
  const double share = static_cast<double>(ticks - begin_) / (end_ - begin_);
  return left_ + std::clamp(share, 0.0, 1.0) * (right_ - left_);
}

std::vector<int64_t> TimeAxis::Marks(int ticks_per_unit, bool clock, double room) const {
  const double ticks_per_pixel = static_cast<double>(end_ - begin_) / (right_ - left_);
  const int64_t step = RoundStep(room * ticks_per_pixel, ticks_per_unit, clock);
  std::vector<int64_t> marks;
  const int64_t first = (begin_ + (begin_ > 0 ? step - 1 : 0)) / step * step;
  for (int64_t mark = first; mark <= end_; mark += step) marks.push_back(mark);
  return marks;
}

}  // namespace dray
