#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/task.h"

namespace dray::cage2 {

// Formats the challenge's table: mean and standard deviation at 30, 50 and 100 steps for each red
// agent, and the sum of the means. Under the leaderboard's rules, adds the published winner's.
std::string ScoresText(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                       const EnvSpec& spec, const Config& config);
Json ScoresJson(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                const EnvSpec& spec, const Config& config);

// Returns the member "returns": the mean returns of one evaluation at those steps.
Json ReturnsJson(const EvaluationReport& report, const EnvSpec& spec);

}  // namespace dray::cage2
