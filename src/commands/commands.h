#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/commands/command.h"

namespace dray {

// All commands of commands.bzl.
const std::vector<Command>& AllCommands();

// Runs a command by name; throws an Error if there is none. Returns the exit code: 0, or that of
// the signal that ended it early.
int RunCommand(std::string_view name, std::span<const std::string> arguments,
               const CommandHost& host);

}  // namespace dray
