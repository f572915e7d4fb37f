#include "src/config/command.h"

#include <iostream>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/config/flag_help.h"

namespace dray {
namespace {

constexpr char kExitCodes[] =
    "\nexit codes: 0 finished, 1 failed, 2 wrong usage, 130 ended by Ctrl-C, 143 by SIGTERM, 129 "
    "by SIGHUP\n";

bool AsksForDataHelp(std::span<const std::string> arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "data" && AsksForHelp(arguments.subspan(i - 1, 1))) return true;
  }
  return false;
}

}  // namespace

void Run(const Command& command, std::span<const std::string> arguments) {
  if (command.data_help != nullptr && AsksForDataHelp(arguments)) {
    std::cout << command.data_help() << std::flush;
    return;
  }
  if (AsksForHelp(arguments)) {
    std::cout << HelpText(command) << std::flush;
    return;
  }
  if (arguments.size() == 1 && arguments[0] == "--version") {
    std::cout << "dray " << kVersion << std::endl;
    return;
  }
  command.body(GivenFlags(command.flags, *command.settings, arguments));
}

std::string HelpText(const Command& command) {
  std::string required;
  for (const Flag& flag : command.flags) {
    if (!flag.ask.empty()) required += Cat(" ", FlagUsage(flag, *command.settings));
  }
  return Cat(
      "usage: ", command.name, required, " [--flag value | --flag=value] ...\n\n", command.intro,
      "\n", FlagsHelp(command.flags, *command.settings),
      command.data_help != nullptr ? "\nyour own CSV files: --help data tells their formats\n" : "",
      kExitCodes, "\nexamples:\n", command.examples);
}

}  // namespace dray
