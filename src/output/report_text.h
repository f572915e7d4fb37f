#pragma once

#include <string>
#include <vector>

#include "src/metrics/report.h"
#include "src/output/paint.h"
#include "src/output/return_trend.h"
#include "src/output/run_header.h"

namespace dray {

// Formats a report in one or two lines of at most `columns` characters: progress, the newest gain
// over the task's reference policy, return and its trend, best return so far, speed, time left, and
// the evaluation if there was one. `trend` must already include this report.
std::vector<std::string> ReportText(const RunHeader& header, const Report& report,
                                    const ReturnTrend& trend, size_t columns, const Paint& paint);

// Formats the remaining numbers, indented: the learner, episode and rollout statistics, how the
// time was spent, lag and lost work.
std::vector<std::string> DetailText(const Report& report, size_t columns, const Paint& paint);

// Formats what the policy gained over the reference policy, beside its rival: "saves 21 ± 6 of 904
// min; greedy 19", where returns are costs; otherwise "gains 21 ± 6; greedy 19". Empty if the
// report has no such comparison.
std::string GainText(const RunHeader& header, const Report& report, const Paint& paint);

// Formats the evaluation alone: "return 500.0 ± 0.0 (95% CI, 20 episodes) · length 500 steps".
std::string EvaluationText(const Report& report, const Paint& paint);

}  // namespace dray
