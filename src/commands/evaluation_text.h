#pragma once

#include <string>

#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"

namespace dray {

// One policy's episodes, for a person and for a program.
std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config);
// `further`: members that the task adds.
std::string EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config,
                           const std::string& further = {});

// "text" with quotes, and escapes where JSON needs them.
std::string JsonString(const std::string& text);

}  // namespace dray
