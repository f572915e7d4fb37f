#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/commands/flags.h"
#include "src/config/config.pb.h"
#include "src/config/overrides.h"

namespace dray {

// Where a run keeps its resolved settings, in its folder.
inline constexpr char kRunConfigFile[] = "config.yaml";

// What a command was asked to do.
struct CommandLine {
  // train, search: the YAML file, overridden by --set, overridden by named flags; checked as a
  // whole. A resumed run starts from the settings in its folder, unless --config names others.
  // evaluate: the defaults with the same overrides, to be given to the run's own settings with
  // ApplyOverrides.
  Config config;
  std::string config_file;          // the file that was read; empty for evaluate of a run
  std::vector<Override> overrides;  // what --set and named flags set, in order of application

  bool help = false;
  bool dry_run = false;
  bool resume = false;  // go on with the run in config.run().dir()

  // evaluate
  std::string checkpoint;  // empty: the newest of run.dir
  bool render = false;
  std::string render_folder;  // empty: to the terminal
  int episode = 1;            // the one to draw
  std::vector<std::string> baselines;
  std::string policy;          // scripted; empty: the trained one
  std::string every_value_of;  // the setting of --<setting> all; empty: none
  std::string out;             // folder for reports; empty: none
  bool json = false;
};

// `arguments` without the program's name. A mistake is an Error of one line. With --help nothing
// else is looked at.
CommandLine ParseCommandLine(Command command, std::span<const std::string> arguments);

// The flag or the file that a setting has its value from, for messages.
std::string WhereSet(const CommandLine& line, const std::string& path);

// Puts overrides on top of a config (that of a resumed run, say) and settles what follows from
// them: num_envs from workers, the run folder from where the user stands.
void ApplyOverrides(std::span<const Override> overrides, Config* config);

}  // namespace dray
