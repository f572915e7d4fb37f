#pragma once

#include "src/commands/command.h"
#include "src/search/workflow_task.h"

namespace dray {

// The command search, over the workflows of any task.
Command SearchCommand(const WorkflowTask& task);

}  // namespace dray
