#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/config/flags.h"

namespace dray {

// What the program around a command can do for it.
struct CommandHost {
  // The way to a cluster, which is opened when a run asks for one.
  std::function<std::unique_ptr<Cluster>(const std::string& run_name)> open_cluster;
  // Makes a page of a run folder; its path. An Error when that cannot be; empty function: never.
  std::function<std::string(const std::string& run_folder)> make_page;
};

// A run has ended: its page is made, and the last line says where it is.
void ShowPage(const CommandHost& host, const std::string& run_folder);

// What a user can call. Its body prints to standard output and throws Error for what the user or
// the machine got wrong.
struct Command {
  std::string_view name;
  std::string_view intro;                        // whole lines that say what it does, for the help
  std::string_view examples;                     // one in a line
  const google::protobuf::Descriptor* settings;  // what its flags set
  std::vector<Flag> flags;
  std::function<void(const GivenFlags& given, const CommandHost& host)> body;
  bool reads_data = false;  // of the user's own: --help data tells its formats
};

// `arguments` without the program's name. With --help it prints the help and does nothing else;
// with
// --help data, of a command that reads some, the formats of users' own files.
void Run(const Command& command, std::span<const std::string> arguments,
         const CommandHost& host = {});

std::string HelpText(const Command& command);

// The flags of a command's own settings, as a message of them.
template <typename Settings>
Settings SettingsFrom(const GivenFlags& given) {
  Settings settings;
  given.ApplyTo(&settings);
  return settings;
}

// Each command is a function of its name, here: the table finds it by src/commands/commands.bzl.
namespace commands {}

}  // namespace dray
