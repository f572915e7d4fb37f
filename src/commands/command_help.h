#pragma once

#include <span>
#include <string>

#include "src/config/command.h"

namespace dray {

// Prints what --help, --help data or --version ask for. Returns false if the arguments contain none
// of them.
bool PrintHelp(const Command& command, std::span<const std::string> arguments);

// Formats the help of a command. Defaults are the values in `config_file`; if it is empty, those of
// the settings.
std::string HelpText(const Command& command, const std::string& config_file = "");

}  // namespace dray
