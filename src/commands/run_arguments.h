#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/config/overrides.h"

namespace dray {

// File in a run's folder with its resolved settings.
inline constexpr char kRunConfigFile[] = "config.yaml";
// Preset for environments of the user's own.
inline constexpr char kOwnEnvConfig[] = "own_env";
// Placeholder for the environment's name in the path of a flag.
inline constexpr std::string_view kEnvPlace = "<env>";

// Flags that several commands with a run's settings share.
inline const Flag kDeviceFlag = {.name = "device", .path = "run.device"};
inline const Flag kNumEnvsFlag = {.name = "num-envs",
                                  .value = "N",
                                  .path = "scale.num_envs",
                                  .aliases = {"n-envs"},
                                  .clears = {"scale.num_envs_per_worker"}};
Flag ConfigFlag(const std::string& default_file);
// Returns the flag --env: a task's name or environments of the user's own.
Flag EnvFlag(const std::string& help);
// Empty help: use that of the setting.
Flag EpisodesFlag(const std::string& help);

// Arguments of a command that starts or resumes a run.
struct RunArguments {
  // The YAML file, overridden by --set, overridden by named flags; validated as a whole. Without
  // --config, a resumed run starts from the settings in its folder, and a new one with --env from
  // the preset of that task or, for environments of the user's own, from kOwnEnvConfig.
  Config config;
  std::string config_file;          // the file that was read
  std::vector<Override> overrides;  // values of --set and named flags, in order of application
  bool dry_run = false;
  bool resume = false;  // resume the run in config.run().dir()
  // --duration of a resumed run, for this time only; 0: no limit. A new run has it in its config.
  std::optional<double> duration_s;
};

// Reads the flags config, env, set, run-dir, resume and dry-run, beside those of settings.
RunArguments ReadRunArguments(const GivenFlags& given, const std::string& default_file);

// Returns the preset's file for a value of --env.
std::string ConfigFileOfEnv(const std::string& value);

// Returns the flag or file that set a setting, for messages.
std::string WhereSet(const RunArguments& arguments, const std::string& path);

// Applies overrides to a config (for example that of a resumed run) and updates what depends on
// them: num_envs from workers, the run folder relative to the user's folder, the task and settings
// of environments named by a file.
void ApplyOverrides(std::span<const Override> overrides, Config* config);

}  // namespace dray
