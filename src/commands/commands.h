#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/commands/command.h"

namespace dray {

// The commands of commands.bzl.
const std::vector<Command>& AllCommands();

// Runs the one of that name; an Error when there is none.
void RunCommand(std::string_view name, std::span<const std::string> arguments,
                const OpenCluster& open_cluster);

}  // namespace dray
