#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/flags.h"

namespace dray {

// A command that users can call.
struct Command {
  std::string_view name;
  std::string_view intro;                        // what it does, in whole lines, for --help
  std::string_view examples;                     // one per line
  const google::protobuf::Descriptor* settings;  // message that the flags set
  std::vector<Flag> flags;
  // Prints to standard output; throws Error for mistakes of the user and failures of the machine.
  std::function<void(const GivenFlags& given)> body;
  std::string_view (*data_help)() = nullptr;  // text of --help data; null: reads no user data
  std::string_view preset = "";               // settings file without --config; empty: none
};

// Runs the command. `arguments` does not include the program's name.
inline void Run(const Command& command, std::span<const std::string> arguments) {
  command.body(GivenFlags(command.flags, *command.settings, arguments));
}

// Returns the flags as a message of the command's own settings.
template <typename Settings>
Settings SettingsFrom(const GivenFlags& given) {
  Settings settings;
  given.ApplyTo(&settings);
  return settings;
}

// Holds one function per command, named like the command; src/commands/commands.bzl lists them.
namespace commands {}

}  // namespace dray
