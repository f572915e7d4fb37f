#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/base/json_fwd.h"

namespace dray::delivery {

// A mean with the half width of its 95 % interval (Student's t).
struct Estimate {
  double mean = 0;
  double ci95 = 0;
};
Estimate EstimateOf(const std::vector<double>& values);
// Estimates the mean difference of paired values.
Estimate PairedEstimate(std::span<const double> ours, std::span<const double> theirs);

// Formats an estimate as "+1.23 ± 0.45".
std::string WithInterval(const Estimate& estimate);
Json JsonOf(const Estimate& estimate);

}  // namespace dray::delivery
