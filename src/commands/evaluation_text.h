#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/loop/evaluator.h"

namespace dray {

// Who was evaluated.
struct EvaluatedPolicy {
  std::string name;  // "epoch 40 of runs/first/...", or a scripted policy
  std::string json;  // what a report begins with, as JSON members
};

// One policy's episodes, for a person and for a program.
std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config);
std::string EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config);

// cage2: the episodes against one red agent.
struct RedScore {
  std::string red;
  EvaluationReport report;
};

// The challenge's table: mean and standard deviation at 30, 50 and 100 steps for each red agent,
// and the sum of the means; beside it, under the rules of the leaderboard, the published winner's.
std::string ScoresText(const EvaluatedPolicy& policy, const std::vector<RedScore>& scores,
                       const EnvSpec& spec, const Config& config);
std::string ScoresJson(const EvaluatedPolicy& policy, const std::vector<RedScore>& scores,
                       const EnvSpec& spec, const Config& config);

// "text" with quotes, and escapes where JSON needs them.
std::string JsonString(const std::string& text);

}  // namespace dray
