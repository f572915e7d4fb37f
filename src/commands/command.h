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

// Services that the surrounding program provides to a command.
struct CommandHost {
  // Connects to a cluster, when a run asks for one.
  std::function<std::unique_ptr<Cluster>(const std::string& run_name)> open_cluster;
  // Writes a page about a run folder and returns its path. Throws an Error if that fails; empty
  // function: never.
  std::function<std::string(const std::string& run_folder)> make_page;
};

// Writes the page of a finished run and prints its path as the last line.
void ShowPage(const CommandHost& host, const std::string& run_folder);

// A command that users can call. Its body prints to standard output and throws an Error for
// mistakes of the user or failures of the machine.
struct Command {
  std::string_view name;
  std::string_view intro;                        // what it does, in whole lines, for the help
  std::string_view examples;                     // one per line
  const google::protobuf::Descriptor* settings;  // message that its flags set
  std::vector<Flag> flags;
  std::function<void(const GivenFlags& given, const CommandHost& host)> body;
  bool reads_data = false;  // it reads the user's own files; --help data explains their formats
};

// Runs a command; `arguments` does not include the program's name. --help prints the help and does
// nothing else; --help data, for a command that reads data, prints the formats of the user's own
// files.
void Run(const Command& command, std::span<const std::string> arguments,
         const CommandHost& host = {});

std::string HelpText(const Command& command);

// Returns a command's own settings as set by the flags.
template <typename Settings>
Settings SettingsFrom(const GivenFlags& given) {
  Settings settings;
  given.ApplyTo(&settings);
  return settings;
}

// Each command is a function of its name, declared here; the table finds it by
// src/commands/commands.bzl.
namespace commands {}

}  // namespace dray
