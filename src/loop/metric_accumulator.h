#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/env/env.h"
#include "src/metrics/report.h"
#include "src/metrics/table.h"

namespace dray {

// Collects metrics that are measured per rollout until the next report, and combines them as the
// table of metrics says, or the environment for its own statistics.
class MetricAccumulator {
 public:
  explicit MetricAccumulator(const std::vector<RolloutStat>& stats);

  void Add(std::string_view name, double value);
  void Add(const Report& values);
  // Records each metric added since the last call, and each total; then starts over.
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

  std::vector<Series> series_;  // ordered by first value
  std::vector<Quotient> quotients_;
};

}  // namespace dray
