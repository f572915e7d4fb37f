#pragma once

#include <functional>
#include <optional>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/task.h"
#include "src/search/trial.h"

namespace dray {

// Trains in this process, in the config's run folder, which must not hold a run yet, and plays
// search.episodes with the resulting policy. The output of training goes to train.log there.
// Returns nothing if `interrupted`.
std::optional<TrialResult> TrainTrial(const Config& config,
                                      const std::function<bool()>& interrupted);

// Scores these episodes: mean and variance of their returns and their mean compliance, by the
// workflow's statistics.
TrialResult ScoreOf(const std::vector<Episode>& episodes, const EnvSpec& spec,
                    const Workflow& workflow);

}  // namespace dray
