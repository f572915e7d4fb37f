#include "src/commands/commands.h"

#include "src/base/error.h"
#include "src/commands/interruption.h"
#include "src/envs/all_tasks.h"

namespace dray {

namespace commands {
#define COMMAND(name) Command name();
DRAY_COMMANDS
#undef COMMAND
}  // namespace commands

const std::vector<Command>& AllCommands() {
  RegisterAllTasks();  // commands have flags for the tasks' settings
  static const std::vector<Command> all = {
#define COMMAND(name) commands::name(),
      DRAY_COMMANDS
#undef COMMAND
  };
  return all;
}

int RunCommand(std::string_view name, std::span<const std::string> arguments,
               const CommandHost& host) {
  for (const Command& command : AllCommands()) {
    if (command.name != name) continue;
    try {
      Run(command, arguments, host);
      return 0;
    } catch (const Interruption& interruption) {
      return interruption.exit_code();
    }
  }
  throw UsageError("there is no command ", name);
}

}  // namespace dray
