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

  // Compares the mean return of the newest 100 training episodes with that of 100 earlier ones, of
  // the newest report without any of them: an arrow up or down if they differ by more than the
  // standard error of the difference, else level. Empty until there is such a report.
  std::string arrow() const;

  // Best values so far; NaN until there is one.
  double best_return() const { return best_return_; }
  double best_evaluation() const { return best_evaluation_; }
  // The newest report with an evaluation against the task's yardstick; empty until there is one.
  const Report& compared() const { return compared_; }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  // Mean return of the episodes of a report.
  struct Mean {
    double episodes;  // completed so far
    double mean;
    double variance;  // squared standard error
  };

  std::deque<Mean> recent_;  // oldest first; none before the one to compare with
  double best_return_ = kNone;
  double best_evaluation_ = kNone;
  Report compared_;
};

}  // namespace dray
