#pragma once

#include <functional>

#include "src/commands/evaluate_arguments.h"
#include "src/config/config.pb.h"
#include "src/env/evaluated_policy.h"
#include "src/env/evaluation_report.h"
#include "src/env/registry.h"
#include "src/loop/episode_play.h"

namespace dray {

// Plays the config's episodes, each in environments made by `make`.
using Play =
    std::function<EvaluationReport(const Config& config, const EnvMaker& make, const Watch& watch)>;

// Evaluates a policy by `play` and prints, writes and draws the result as the arguments ask. Throws
// an Error before playing if the task cannot draw or tabulate what they ask for.
void Evaluate(const EvaluateArguments& line, const Config& given, const EvaluatedPolicy& policy,
              const Play& play);

}  // namespace dray
