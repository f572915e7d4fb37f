#include "src/commands/command_help.h"

#include <iostream>
#include <memory>
#include <sstream>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/commands/flag_help.h"
#include "src/commands/run_arguments.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"

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

// Returns the value of a flag; empty if there is none.
std::string ValueOf(const std::string& flag, std::span<const std::string> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(flag + "=")) return arguments[i].substr(flag.size() + 1);
    const bool has_value = i + 1 < arguments.size() && !arguments[i + 1].starts_with("-");
    if (arguments[i] == flag && has_value) return arguments[i + 1];
  }
  return "";
}

// Returns the settings file that the command would read; empty if it reads none.
std::string ConfigFile(const Command& command, std::span<const std::string> arguments) {
  if (command.preset.empty()) return "";
  if (const std::string file = ValueOf("--config", arguments); !file.empty()) {
    return FindConfigFile(file);
  }
  if (const std::string env = ValueOf("--env", arguments); !env.empty()) {
    return ConfigFileOfEnv(env);
  }
  return FindFileOrBareName(std::string(command.preset), "configs");
}

// Returns the examples as the user types them.
std::string Examples(const Command& command, const std::string& called) {
  std::istringstream lines{std::string(command.examples)};
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    text += Cat("  ", called, line.substr(2 + command.name.size()), "\n");
  }
  return text;
}

}  // namespace

bool PrintHelp(const Command& command, std::span<const std::string> arguments) {
  if (command.data_help != nullptr && AsksForDataHelp(arguments)) {
    std::cout << command.data_help() << std::flush;
  } else if (AsksForHelp(arguments)) {
    std::cout << HelpText(command, ConfigFile(command, arguments)) << std::flush;
  } else if (arguments.size() == 1 && arguments[0] == "--version") {
    std::cout << "dray " << kVersion << std::endl;
  } else {
    return false;
  }
  return true;
}

std::string HelpText(const Command& command, const std::string& config_file) {
  const std::string called = Cat(CalledAsDray() ? "dray " : "", command.name);
  auto* factory = google::protobuf::MessageFactory::generated_factory();
  const std::unique_ptr<google::protobuf::Message> defaults(
      factory->GetPrototype(command.settings)->New());
  if (!config_file.empty()) LoadYamlFile(config_file, defaults.get());
  std::string required;
  for (const Flag& flag : command.flags) {
    if (!flag.ask.empty()) required += Cat(" ", FlagUsage(flag, *command.settings));
  }
  return Cat("usage: ", called, required, " [--flag value | --flag=value] ...\n\n", command.intro,
             config_file.empty() ? "" : Cat("Defaults: those of ", config_file, "\n"), "\n",
             FlagsHelp(command.flags, *defaults),
             command.data_help != nullptr
                 ? "\n--help data describes the formats of your own CSV files\n"
                 : "",
             kExitCodes, "\nexamples:\n", Examples(command, called));
}

}  // namespace dray
