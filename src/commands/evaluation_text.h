#pragma once

#include <string>

#include "src/config/config.pb.h"
#include "src/env/evaluated_policy.h"
#include "src/env/evaluation_report.h"

namespace dray {

// One policy's episodes, for a person and for a program.
std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config);
// `further`: members that the task adds.
Json EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                    const EnvSpec& spec, const Config& config,
                    const Json& further = Json::object());
// Every episode with its number, from 1, its return, whose mean is EvaluationJson's return_mean,
// and its length.
Json EpisodesJson(const EvaluationReport& report, const EnvSpec& spec, const Config& config);

}  // namespace dray
