#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/config/overrides.h"

namespace dray {

// Where a run keeps its resolved settings, in its folder.
inline constexpr char kRunConfigFile[] = "config.yaml";
// Stands for the environment's name in the path of a flag.
inline constexpr std::string_view kEnvPlace = "<env>";

// Rows that several commands with a run's settings share.
inline const Flag kSetFlag = {.name = "set",
                              .form = FlagForm::kSet,
                              .value = "KEY=VALUE",
                              .help = "Any setting of configs/REFERENCE.md; may be repeated"};
inline const Flag kDeviceFlag = {.name = "device", .path = "run.device"};
inline const Flag kNumEnvsFlag = {.name = "num-envs",
                                  .value = "N",
                                  .path = "scale.num_envs",
                                  .aliases = {"n-envs"},
                                  .clears = {"scale.num_envs_per_worker"}};
Flag ConfigFlag(const std::string& default_file);
// Empty help: that of the setting.
Flag EpisodesFlag(const std::string& help);

// What a command that begins or goes on with a run was asked to do.
struct RunArguments {
  // The YAML file, overridden by --set, overridden by named flags; checked as a whole. A resumed
  // run starts from the settings in its folder, unless --config names others.
  Config config;
  std::string config_file;          // the file that was read
  std::vector<Override> overrides;  // what --set and named flags set, in order of application
  bool dry_run = false;
  bool resume = false;  // go on with the run in config.run().dir()
};

// By the flags config, set, run-dir, resume and dry-run, beside those of settings.
RunArguments ReadRunArguments(const GivenFlags& given, const std::string& default_file);

// The flag or the file that a setting has its value from, for messages.
std::string WhereSet(const RunArguments& arguments, const std::string& path);

// Puts overrides on top of a config (that of a resumed run, say) and settles what follows from
// them: num_envs from workers, the run folder from where the user stands.
void ApplyOverrides(std::span<const Override> overrides, Config* config);

}  // namespace dray
