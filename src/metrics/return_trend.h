#pragma once

#include <deque>
#include <limits>
#include <string>

#include "src/metrics/report.h"

namespace dray {

// Tracks the returns in the reports of a run.
class ReturnTrend {
 public:
  void Add(const Report& report);

  // Compares the newest mean return with the mean of the five reports before it: an arrow up or
  // down if they differ by more than the standard error of the newest 100 episodes, else level.
  // Empty until there are two reports.
  std::string arrow() const;

  // Best values so far; NaN until there is one.
  double best_return() const { return best_return_; }
  double best_evaluation() const { return best_evaluation_; }
  // The newest report with an evaluation against the task's yardstick; empty until there is one.
  const Report& compared() const { return compared_; }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::deque<double> recent_;  // means of the newest reports, oldest first
  double error_ = 0;           // standard error of the newest
  double best_return_ = kNone;
  double best_evaluation_ = kNone;
  Report compared_;
};

}  // namespace dray
