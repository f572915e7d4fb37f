#include "src/commands/command.h"

#include <iostream>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/config/flag_help.h"

namespace dray {

void Run(const Command& command, std::span<const std::string> arguments,
         const OpenCluster& open_cluster) {
  if (AsksForHelp(arguments)) {
    std::cout << HelpText(command) << std::flush;
    return;
  }
  if (arguments.size() == 1 && arguments[0] == "--version") {
    std::cout << "dray " << kVersion << std::endl;
    return;
  }
  command.body(GivenFlags(command.flags, *command.settings, arguments), open_cluster);
}

std::string HelpText(const Command& command) {
  std::string required;
  for (const Flag& flag : command.flags) {
    if (!flag.ask.empty()) required += Cat(" ", FlagUsage(flag, *command.settings));
  }
  return Cat("usage: ", command.name, required, " [--flag value | --flag=value] ...\n\n",
             command.intro, "\n", FlagsHelp(command.flags, *command.settings), "\nexamples:\n",
             command.examples);
}

}  // namespace dray
