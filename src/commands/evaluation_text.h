#pragma once

#include <string>

#include "src/config/config.pb.h"
#include "src/env/evaluated_policy.h"
#include "src/env/evaluation_report.h"

namespace dray {

// Formats one policy's episodes for people (text) and for programs (JSON).
std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config);
// `further`: members added by the task.
Json EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                    const EnvSpec& spec, const Config& config,
                    const Json& further = Json::object());
// Lists every episode with its number, counted from 1, its return, whose mean is EvaluationJson's
// return_mean, and its length.
Json EpisodesJson(const EvaluationReport& report, const EnvSpec& spec, const Config& config);

}  // namespace dray
