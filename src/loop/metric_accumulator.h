#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/env/env.h"
#include "src/metrics/report.h"
#include "src/metrics/table.h"

namespace dray {

// Metrics that are measured rollout by rollout: keeps their values until a report, and combines
// them as the table says, or as the environment does for its own statistics.
class MetricAccumulator {
 public:
  explicit MetricAccumulator(const std::vector<RolloutStat>& stats);

  void Add(std::string_view name, double value);
  void Add(const Report& values);
  // Records each metric that was added since the last call, and each total; then starts anew.
  void TakeInto(Report& report);

 private:
  struct Series {
    std::string name;
    Combine combine;
    std::vector<double> values = {};
  };
  struct Quotient {
    std::string name, part, whole;
  };
  Series& Find(std::string_view name);

  std::vector<Series> series_;  // in the order of their first values
  std::vector<Quotient> quotients_;
};

}  // namespace dray
