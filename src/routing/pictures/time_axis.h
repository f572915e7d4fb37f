#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Maps times to pixels.
class TimeAxis {
 public:
  // Maps `begin` ... `end` to pixels `left` ... `right`; an empty interval is widened.
  TimeAxis(int64_t begin, int64_t end, double left, double right);

  double X(int64_t ticks) const;  // clipped to the picture
  bool Shows(int64_t ticks) const { return ticks >= begin_ && ticks <= end_; }
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }
  double left() const { return left_; }
  double right() const { return right_; }

  // Returns round times to label on the axis, at least `room` pixels apart: whole hours, half
  // hours, ... of a clock, else 1, 2 or 5 times a power of ten.
  std::vector<int64_t> Marks(int ticks_per_unit, bool clock, double room) const;

 private:
  int64_t begin_;
  int64_t end_;
  double left_;
  double right_;
};

}  // namespace dray
