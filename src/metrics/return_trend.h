#pragma once

#include <deque>
#include <limits>
#include <string>

#include "src/metrics/report.h"

namespace dray {

// What the reports of a run so far have shown of its returns.
class ReturnTrend {
 public:
  void Add(const Report& report);

  // Where the newest mean return stands against the five reports before it: up or down when it is
  // further from their mean than the standard error of its own 100 episodes, else level. Empty
  // before there are two.
  std::string arrow() const;

  // The best so far; NaN before there is one.
  double best_return() const { return best_return_; }
  double best_evaluation() const { return best_evaluation_; }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::deque<double> recent_;  // means of the newest reports, oldest first
  double error_ = 0;           // standard error of the newest
  double best_return_ = kNone;
  double best_evaluation_ = kNone;
};

}  // namespace dray
