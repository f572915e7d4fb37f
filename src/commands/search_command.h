#pragma once

#include "src/commands/command.h"
#include "src/env/task.h"

namespace dray {

// Makes the command search over a workflow; null: that of the config's task.
Command SearchCommand(const Workflow* workflow);

}  // namespace dray
