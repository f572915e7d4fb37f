#pragma once

#include "src/commands/evaluate_arguments.h"
#include "src/config/config.pb.h"
#include "src/loop/checkpoint.h"

namespace dray {

// The part of the command evaluate behind --baselines: prints the comparison, writes it and draws
// an episode where that was asked for. A checkpoint without weights means: the baselines alone.
void CompareBaselines(const EvaluateArguments& line, const Config& config,
                      const Checkpoint& checkpoint);

}  // namespace dray
