#include "src/commands/command_line.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/config/fields.h"
#include "src/config/user_path.h"
#include "src/config/validate.h"
#include "src/config/yaml_loader.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;

constexpr std::string_view kEnvPlace = "<env>";

// The flags as given, the last of repeated ones.
struct Given {
  struct Value {
    std::optional<std::string> text;
    std::string source;  // as typed
  };
  std::map<std::string, Value> flags;  // by name, not alias
  std::vector<std::string> sets;

  bool Has(const std::string& name) const { return flags.contains(name); }
  std::string Text(const std::string& name) const {
    const auto found = flags.find(name);
    return found == flags.end() ? "" : found->second.text.value_or("");
  }
};

Error UnknownFlag(const std::string& typed, std::span<const Flag> flags) {
  std::vector<std::string> known;
  for (const Flag& flag : flags) {
    known.push_back(flag.name);
    known.insert(known.end(), flag.aliases.begin(), flag.aliases.end());
  }
  const std::string name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  const std::string near = NearestName(name, known);
  return UsageError(
      typed, ": unknown flag; ",
      near.empty() ? "--help lists the known ones" : Cat("did you mean --", near, "?"));
}

// What the values of a flag look like, for the error that one is missing.
std::string ValueHint(const Flag& flag) {
  if (flag.form == FlagForm::kDuration) return "30s, 5m or 2h";
  if (!flag.value.empty()) return flag.value;
  return JoinWithOr(Choices(*FindPath(*Config::descriptor(), flag.path)->enum_type()));
}

Given Scan(std::span<const Flag> flags, std::span<const std::string> arguments) {
  Given given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& typed = arguments[i];
    if (!typed.starts_with("--")) {
      throw UsageError(typed, ": unexpected argument; flags begin with --, see --help");
    }
    const size_t equals = typed.find('=');
    const std::string dashed = typed.substr(0, equals);
    const Flag* flag = FindFlag(flags, dashed.substr(2));
    if (flag == nullptr || dashed.size() < 4) throw UnknownFlag(dashed, flags);

    std::optional<std::string> value;
    if (equals != std::string::npos) value = typed.substr(equals + 1);
    if (flag->form == FlagForm::kSwitch && value) {
      throw UsageError(typed, ": --", flag->name, " takes no value");
    }
    const std::string_view no_value = flag->form == FlagForm::kOptionalPath ? "-" : "--";
    const bool wants = flag->form != FlagForm::kSwitch && !value;
    if (wants && i + 1 < arguments.size() && !arguments[i + 1].starts_with(no_value)) {
      value = arguments[++i];
    }
    if (!value && flag->form != FlagForm::kSwitch && flag->form != FlagForm::kOptionalPath) {
      throw UsageError(dashed, ": needs a value: ", ValueHint(*flag));
    }
    if (flag->form == FlagForm::kSet) given.sets.push_back(*value);
    given.flags[flag->name] = {value, value ? dashed + " " + *value : dashed};
  }
  return given;
}

std::string AsYaml(const Flag& flag, const std::string& text) {
  switch (flag.form) {
    case FlagForm::kPath:
    case FlagForm::kOptionalPath:
      return QuotedText(UserPath(text));
    case FlagForm::kText:
      return QuotedText(text);
    case FlagForm::kDuration:
      return NumberText(DurationSeconds(text));
    default:
      return text;
  }
}

// --set first, then what named flags clear, then what they set: a flag is never cleared by another.
std::vector<Override> OverridesOf(std::span<const Flag> flags, const Given& given) {
  std::vector<Override> overrides;
  for (const std::string& set : given.sets) overrides.push_back(ParseSet(set));
  std::vector<Override> values;
  for (const Flag& flag : flags) {
    const auto found = given.flags.find(flag.name);
    if (found == given.flags.end() || flag.path.empty()) continue;
    const std::string& source = found->second.source;
    for (const std::string& path : flag.clears) overrides.push_back({path, "0", source});
    values.push_back({flag.path, AsYaml(flag, *found->second.text), source});
  }
  overrides.insert(overrides.end(), values.begin(), values.end());
  return overrides;
}

// The path with the environment's name in place; an Error when it has no such setting.
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

// Where a run resumed from a folder also writes.
void SettleResume(const Given& given, std::vector<Override>* overrides) {
  const std::string folder = given.Text("resume");
  if (folder.empty()) return;
  if (given.Has("run-dir") && UserPath(given.Text("run-dir")) != UserPath(folder)) {
    throw UsageError("--resume ", folder,
                     ": a resumed run goes on in its own folder; drop --run-dir ",
                     given.Text("run-dir"));
  }
  overrides->push_back({"run.dir", QuotedText(UserPath(folder)), "--resume " + folder});
}

// The folder that the overrides alone say, empty when they say none.
std::string RunFolder(std::span<const Override> overrides) {
  Config config;
  for (const Override& override : overrides) {
    if (override.path == "run.dir") ApplyOverride(override, &config);
  }
  return UserPath(config.run().dir());
}

std::string TrainConfigFile(Command command, const Given& given, const CommandLine& line) {
  if (given.Has("config")) return FindConfigFile(given.Text("config"));
  if (!line.resume) {
    return FindConfigFile(command == Command::kSearch ? kDefaultSearchConfig : kDefaultConfig);
  }
  const std::string folder = RunFolder(line.overrides);
  if (folder.empty()) {
    throw UsageError("--resume: which run? Name its folder: --resume runs/NAME");
  }
  const std::string file = (std::filesystem::path(folder) / kRunConfigFile).string();
  if (!std::filesystem::exists(file)) {
    throw UsageError("--resume ", folder, ": there is no ", file, "; name the folder of a run");
  }
  return file;
}

void ResolveTrain(Command command, const Given& given, CommandLine* line) {
  SettleResume(given, &line->overrides);
  line->config_file = TrainConfigFile(command, given, *line);
  LoadYamlFile(line->config_file, &line->config);
  ApplyOverrides(line->overrides, &line->config);
  Validate(line->config);
  if (line->resume && line->config.run().dir().empty()) {
    throw UsageError("--resume: which run? Name its folder: --resume runs/NAME");
  }
}

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    if (end > start) names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

int EpisodeNumber(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) {
    throw UsageError("--episode ", text, ": episodes are numbered from 1");
  }
  return number;
}

void ResolveEvaluate(const Given& given, CommandLine* line) {
  line->policy = given.Text("policy");
  if (!line->policy.empty() && (given.Has("run-dir") || given.Has("checkpoint"))) {
    throw UsageError("--policy ", line->policy,
                     ": plays instead of a trained one; drop it, or --run-dir and --checkpoint");
  }
  if (given.Text("red") == "all") {
    line->every_value_of = "red";
    std::erase_if(line->overrides,
                  [](const Override& override) { return override.source == "--red all"; });
  }
  line->checkpoint = UserPath(given.Text("checkpoint"));
  line->render = given.Has("render");
  line->render_folder = UserPath(given.Text("render"));
  line->baselines = SplitNames(given.Text("baselines"));
  line->out = UserPath(given.Text("out"));
  if (given.Has("episode")) line->episode = EpisodeNumber(given.Text("episode"));
  if (given.Has("config")) {
    if (line->baselines.empty() && line->policy.empty()) {
      throw UsageError("--config ", given.Text("config"),
                       ": goes with --baselines or --policy; a run brings its own settings");
    }
    line->config_file = FindConfigFile(given.Text("config"));
    LoadYamlFile(line->config_file, &line->config);
  }
  // The environment is the run's, which is not known yet.
  std::vector<Override> known = line->overrides;
  if (line->policy.empty() && line->config_file.empty()) {
    std::erase_if(known, [](const Override& override) {
      return override.path.find(kEnvPlace) != std::string::npos;
    });
  }
  ApplyOverrides(known, &line->config);
  if (line->config.run().dir().empty() && line->checkpoint.empty() && line->config_file.empty() &&
      line->policy.empty()) {
    throw UsageError(
        "evaluate: which run? Name its folder, --run-dir runs/NAME, or --checkpoint FILE, or a "
        "scripted --policy");
  }
}

}  // namespace

CommandLine ParseCommandLine(Command command, std::span<const std::string> arguments) {
  CommandLine line;
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") line.help = true;
  }
  if (line.help) return line;
  const std::vector<Flag>& flags = FlagsOf(command);
  const Given given = Scan(flags, arguments);
  line.overrides = OverridesOf(flags, given);
  line.dry_run = given.Has("dry-run");
  line.resume = given.Has("resume");
  line.json = given.Has("json");
  if (command == Command::kEvaluate) {
    ResolveEvaluate(given, &line);
  } else {
    ResolveTrain(command, given, &line);
  }
  return line;
}

std::string WhereSet(const CommandLine& line, const std::string& path) {
  std::string where = line.config_file;
  for (const Override& override : line.overrides) {
    if (override.path == path) where = override.source;
  }
  return where;
}

void ApplyOverrides(std::span<const Override> overrides, Config* config) {
  for (const Override& override : overrides) {
    Override placed = override;
    placed.path = PlaceEnv(override, config->env().name());
    ApplyOverride(placed, config);
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
  // One beyond the limit stays as it was: Validate refuses it.
  if (num_envs > 0 && num_envs <= INT32_MAX) scale->set_num_envs(static_cast<int32_t>(num_envs));
  // A repeated field has no default of its own.
  if (config->network().hidden().empty()) {
    for (const int width : {64, 64}) config->mutable_network()->add_hidden(width);
  }
  RunConfig* run = config->mutable_run();
  if (!run->dir().empty()) run->set_dir(UserPath(run->dir()));
  if (!run->init_from().empty()) run->set_init_from(UserPath(run->init_from()));
}

}  // namespace dray
