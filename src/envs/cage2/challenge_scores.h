#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/task.h"

namespace dray::cage2 {

// The challenge's table: mean and standard deviation at 30, 50 and 100 steps for each red agent,
// and the sum of the means; beside it, under the rules of the leaderboard, the published winner's.
std::string ScoresText(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                       const EnvSpec& spec, const Config& config);
Json ScoresJson(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                const EnvSpec& spec, const Config& config);

// "returns": the mean returns at those steps of one evaluation.
Json ReturnsJson(const EvaluationReport& report, const EnvSpec& spec);

}  // namespace dray::cage2
