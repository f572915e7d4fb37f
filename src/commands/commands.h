#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/commands/command_host.h"
#include "src/config/command.h"

namespace dray {

// Returns every command listed in commands.bzl. Those that run on a cluster use `host`.
std::vector<Command> AllCommands(const CommandHost& host = {});

// Runs a command by name; throws Error if it does not exist. Returns the exit code: 0, or that of
// the signal that ended it early.
int RunCommand(std::string_view name, std::span<const std::string> arguments,
               const CommandHost& host);

}  // namespace dray
