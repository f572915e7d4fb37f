#include "src/commands/run_arguments.h"

#include <filesystem>

#include "src/base/error.h"
#include "src/config/fields.h"
#include "src/config/user_path.h"
#include "src/config/validate.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;

// Inserts the environment's name in the path. Throws an Error if it has no such setting.
std::string PlaceEnv(const Override& override, const std::string& env) {
  std::string path = override.path;
  const size_t place = path.find(kEnvPlace);
  if (place == std::string::npos) return path;
  path.replace(place, kEnvPlace.size(), env);
  if (FindPath(*Config::descriptor(), path) != nullptr) return path;
  const std::string key = SplitPath(override.path).back();
  std::vector<std::string> having;
  for (const FieldDescriptor* field : FieldsOf(*EnvConfig::descriptor())) {
    if (IsGroup(*field) && FindField(*field->message_type(), key)) having.push_back(field->name());
  }
  throw UsageError(override.source, ": ", path, ": the environment ", env, " has no ", key, "; ",
                   having.empty() ? "no environment has it"
                                  : Cat("set env.name to one that has: ", JoinWithOr(having)));
}

// A resumed run keeps writing to its folder.
void SettleResume(const GivenFlags& given, std::vector<Override>* overrides) {
  const std::string folder = given.Text("resume");
  if (folder.empty()) return;
  if (given.Has("run-dir") && UserPath(given.Text("run-dir")) != UserPath(folder)) {
    throw UsageError("--resume ", folder,
                     ": a resumed run continues in its own folder; drop --run-dir ",
                     given.Text("run-dir"));
  }
  overrides->push_back({"run.dir", QuotedText(UserPath(folder)), "--resume " + folder});
}

// Returns the folder set by the overrides alone; empty if they set none.
std::string RunFolder(std::span<const Override> overrides) {
  Config config;
  for (const Override& override : overrides) {
    if (override.path == "run.dir") ApplyOverride(override, &config);
  }
  return UserPath(config.run().dir());
}

std::string ConfigFile(const GivenFlags& given, const std::string& default_file,
                       const RunArguments& arguments) {
  if (given.Has("config")) return FindConfigFile(given.Text("config"));
  if (!arguments.resume) {
    return given.Has("env") ? ConfigFileOfEnv(given.Text("env")) : FindConfigFile(default_file);
  }
  const std::string folder = RunFolder(arguments.overrides);
  if (folder.empty()) {
    throw UsageError("--resume: give the run's folder: --resume runs/NAME");
  }
  const std::string file = (std::filesystem::path(folder) / kRunConfigFile).string();
  if (!std::filesystem::exists(file)) {
    throw UsageError("--resume ", folder, ": there is no ", file, "; name the folder of a run");
  }
  return file;
}

}  // namespace

std::string ConfigFileOfEnv(const std::string& value) {
  EnvConfig env;
  env.set_name(value);
  ReadEnvName(&env);
  const std::string source = Cat("--env ", value);
  const Task* task = nullptr;
  try {
    task = &TaskOf(env);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(source, ": ", error.what()));
  }
  if (task->external) return FindConfigFile(kOwnEnvConfig);
  std::string several;
  for (const std::string& name : ConfigNames()) {
    if (name == value) return FindConfigFile(name);
    if (name.starts_with(value + "_")) several += Cat(several.empty() ? "" : ", ", name);
  }
  throw UsageError(source, ": there is no preset of this name; choose one with --config",
                   several.empty() ? "" : ", such as ", several);
}

Flag ConfigFlag(const std::string& default_file) {
  return {.name = "config",
          .form = FlagForm::kPath,
          .value = "FILE",
          .help = Cat("YAML file with settings, or the name of a preset in configs/ [default: ",
                      default_file, "]")};
}

Flag EnvFlag(const std::string& help) {
  const std::string own = OwnEnvValues();
  return {.name = "env",
          .form = FlagForm::kText,
          .value = "ENV",
          .path = "env.name",
          .help = Cat(help, own.empty() ? "" : Cat(", or your own: ", own))};
}

Flag EpisodesFlag(const std::string& help) {
  return {.name = "episodes",
          .value = "N",
          .path = "train.episodes",
          .help = help,
          .aliases = {"num-episodes"},
          .clears = {"train.epochs", "train.total_steps"}};
}

RunArguments ReadRunArguments(const GivenFlags& given, const std::string& default_file) {
  RunArguments arguments;
  arguments.overrides = given.overrides();
  arguments.dry_run = given.Has("dry-run");
  arguments.resume = given.Has("resume");
  SettleResume(given, &arguments.overrides);
  if (arguments.resume && given.Has("duration")) {
    arguments.duration_s = DurationSeconds(given.Text("duration"), "--duration");
    std::erase_if(arguments.overrides, [](const Override& override) {
      return override.source.starts_with("--duration");
    });
  }
  arguments.config_file = ConfigFile(given, default_file, arguments);
  LoadYamlFile(arguments.config_file, &arguments.config);
  ApplyOverrides(arguments.overrides, &arguments.config);
  Validate(arguments.config);
  if (arguments.resume && arguments.config.run().dir().empty()) {
    throw UsageError("--resume: give the run's folder: --resume runs/NAME");
  }
  return arguments;
}

std::string WhereSet(const RunArguments& arguments, const std::string& path) {
  std::string where = arguments.config_file;
  for (const Override& override : arguments.overrides) {
    std::string set = override.path;
    if (const size_t place = set.find(kEnvPlace); place != std::string::npos) {
      set.replace(place, kEnvPlace.size(), arguments.config.env().name());
    }
    // --env also sets the environment's own settings: where its file or module is.
    const bool by_env = set == "env.name" && where == arguments.config_file;
    if (set == path || (by_env && path.starts_with("env."))) where = override.source;
  }
  return where;
}

void ApplyOverrides(std::span<const Override> overrides, Config* config) {
  ReadEnvName(config->mutable_env());
  for (const Override& override : overrides) {
    Override placed = override;
    placed.path = PlaceEnv(override, config->env().name());
    ApplyOverride(placed, config);
    if (placed.path == "env.name") ReadEnvName(config->mutable_env());
  }
  ScaleConfig* scale = config->mutable_scale();
  const int64_t num_envs = int64_t{scale->num_workers()} * scale->num_envs_per_worker();
  for (const Override& override : overrides) {
    if (override.path == "scale.num_envs" && num_envs > 0 && num_envs != scale->num_envs()) {
      throw UsageError(override.source, ": ", scale->num_envs(), " environments, but ",
                       scale->num_workers(), " workers of ", scale->num_envs_per_worker(), " have ",
                       num_envs, "; leave one of the three out");
    }
  }
  // A number beyond the limit stays unchanged; Validate rejects it.
  if (num_envs > 0 && num_envs <= INT32_MAX) scale->set_num_envs(num_envs);
  // A repeated field has no default of its own.
  if (config->network().hidden().empty()) {
    for (const int width : {64, 64}) config->mutable_network()->add_hidden(width);
  }
  RunConfig* run = config->mutable_run();
  if (!run->dir().empty()) run->set_dir(UserPath(run->dir()));
  if (!run->init_from().empty()) run->set_init_from(UserPath(run->init_from()));
}

}  // namespace dray
