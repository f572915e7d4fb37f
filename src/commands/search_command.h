#pragma once

#include "src/commands/command.h"
#include "src/env/task.h"

namespace dray {

// The command search; null: over the workflow of the config's task.
Command SearchCommand(const Workflow* workflow);

}  // namespace dray
