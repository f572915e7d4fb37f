#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/base/json_fwd.h"

namespace dray {

// A mean with the half width of its 95 % interval (Student's t).
struct Estimate {
  double mean = 0;
  double ci95 = 0;
};
Estimate EstimateOf(const std::vector<double>& values);
// Of the differences, day by day.
Estimate PairedEstimate(std::span<const double> ours, std::span<const double> theirs);

// "+1.23 ± 0.45".
std::string WithInterval(const Estimate& estimate);
Json JsonOf(const Estimate& estimate);

}  // namespace dray
