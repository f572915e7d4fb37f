#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/metrics/report.h"
#include "src/metrics/run_header.h"

namespace dray {

// Escape codes on a terminal that shows colours; nothing elsewhere.
class Paint {
 public:
  explicit Paint(bool colours) : colours_(colours) {}

  std::string Strong(std::string_view text) const { return Wrap("1", text); }
  std::string Faint(std::string_view text) const { return Wrap("2", text); }
  std::string Good(std::string_view text) const { return Wrap("32", text); }
  std::string Warning(std::string_view text) const { return Wrap("33", text); }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const;
  bool colours_;
};

// A report as lines of text: where the run stands, the learner, the time, and the evaluation,
// troubles and lag where there are any. Lines after the first are indented.
std::vector<std::string> ReportText(const RunHeader& header, const Report& report,
                                    const Paint& paint);

// The evaluation alone: "return 500.0 ± 0.0 (95% CI, 20 episodes) · length 500 steps".
std::string EvaluationText(const Report& report, const Paint& paint);

}  // namespace dray
