#include "src/envs/delivery/judging/estimate.h"

#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/base/student_t.h"

namespace dray::delivery {

Estimate EstimateOf(const std::vector<double>& values) {
  const double n = values.size();
  Estimate estimate;
  estimate.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {estimate.mean, std::nan("")};
  double squares = 0;
  for (const double value : values) {
    squares += (value - estimate.mean) * (value - estimate.mean);
  }
  estimate.ci95 = StudentT975(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return estimate;
}

Estimate PairedEstimate(std::span<const double> ours, std::span<const double> theirs) {
  DRAY_CHECK_EQ(ours.size(), theirs.size());
  std::vector<double> differences;
  for (size_t i = 0; i < ours.size(); ++i) differences.push_back(ours[i] - theirs[i]);
  return EstimateOf(differences);
}

std::string WithInterval(const Estimate& estimate) {
  return Cat(Printed("%+.2f", estimate.mean), " ± ", Printed("%.2f", estimate.ci95));
}

Json JsonOf(const Estimate& estimate) { return {{"mean", estimate.mean}, {"ci95", estimate.ci95}}; }

}  // namespace dray::delivery
