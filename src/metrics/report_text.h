#pragma once

#include <string>
#include <vector>

#include "src/metrics/paint.h"
#include "src/metrics/report.h"
#include "src/metrics/return_trend.h"
#include "src/metrics/run_header.h"

namespace dray {

// A report as one or two lines of `columns` signs: how far the run is, its return and where that
// goes, the best so far, how it compares with the task's reference policy, speed and time left, and
// an evaluation where there was one. `trend` knows this report already.
std::vector<std::string> ReportText(const RunHeader& header, const Report& report,
                                    const ReturnTrend& trend, size_t columns, const Paint& paint);

// Everything else: the learner, statistics of episodes and rollouts, where the time went, lag and
// losses. Indented.
std::vector<std::string> DetailText(const Report& report, size_t columns, const Paint& paint);

// The evaluation alone: "return 500.0 ± 0.0 (95% CI, 20 episodes) · length 500 steps".
std::string EvaluationText(const Report& report, const Paint& paint);

}  // namespace dray
