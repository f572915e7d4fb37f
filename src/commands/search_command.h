#pragma once

#include "src/commands/command_host.h"
#include "src/config/command.h"
#include "src/env/task.h"

namespace dray {

// Returns the command search. A null workflow stands for that of the config's task.
Command SearchCommand(const CommandHost& host, const Workflow* workflow);

}  // namespace dray
