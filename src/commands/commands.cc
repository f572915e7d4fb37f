#include "src/commands/commands.h"

#include "src/base/error.h"
#include "src/base/interruption.h"
#include "src/commands/command_help.h"
#include "src/envs/all_tasks.h"

namespace dray {

namespace commands {
#define COMMAND(name) Command name();
DRAY_COMMANDS
#undef COMMAND
#define COMMAND(name) Command name(const CommandHost& host);
DRAY_CLUSTER_COMMANDS
#undef COMMAND
}  // namespace commands

std::vector<Command> AllCommands(const CommandHost& host) {
  RegisterAllTasks();  // commands have flags for the tasks' settings
  return {
#define COMMAND(name) commands::name(),
      DRAY_COMMANDS
#undef COMMAND
#define COMMAND(name) commands::name(host),
          DRAY_CLUSTER_COMMANDS
#undef COMMAND
  };
}

int RunCommand(std::string_view name, std::span<const std::string> arguments,
               const CommandHost& host) {
  for (const Command& command : AllCommands(host)) {
    if (command.name != name) continue;
    if (PrintHelp(command, arguments)) return 0;
    try {
      Run(command, arguments);
      return 0;
    } catch (const Interruption& interruption) {
      return interruption.exit_code();
    }
  }
  throw UsageError("there is no command ", name);
}

}  // namespace dray
