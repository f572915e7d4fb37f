#include "src/commands/evaluate_arguments.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/commands/run_arguments.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"

namespace dray {
namespace {

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    if (end > start) names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

}  // namespace

EvaluateArguments ReadEvaluateArguments(const GivenFlags& given) {
  EvaluateArguments line;
  line.overrides = given.overrides();
  line.json = given.Has("json");
  line.policy = given.Text("policy");
  line.with_run = given.Has("run-dir") || given.Has("checkpoint") || given.Has("pretrained");
  for (const Task& task : AllTasks()) {
    if (!task.score_table || given.Text(task.score_table->setting) != "all") continue;
    line.every_value_of = task.score_table->setting;
    std::erase_if(line.overrides, [&](const Override& override) {
      return override.source == Cat("--", line.every_value_of, " all");
    });
  }
  line.checkpoint = given.Has("pretrained") ? FindPretrained(given.Text("pretrained"))
                                            : UserPath(given.Text("checkpoint"));
  line.render = given.Has("render");
  line.render_folder = UserPath(given.Text("render"));
  line.baselines = SplitNames(given.Text("baselines"));
  line.out = UserPath(given.Text("out"));
  if (given.Has("episode")) line.drawn = DrawnEpisodes::Parse(given.Text("episode"));
  if (given.Has("config")) {
    if (line.baselines.empty() && line.policy.empty()) {
      throw UsageError("--config ", given.Text("config"),
                       ": needs --baselines or --policy; a run has its own settings");
    }
    line.config_file = FindConfigFile(given.Text("config"));
    LoadYamlFile(line.config_file, &line.config);
  }
  // The environment is the run's, which is not known yet.
  std::vector<Override> known = line.overrides;
  if ((line.policy.empty() || line.with_run) && line.config_file.empty()) {
    std::erase_if(known, [](const Override& override) {
      return override.path.find(kEnvPlace) != std::string::npos;
    });
  }
  ApplyOverrides(known, &line.config);
  if (line.config.run().dir().empty() && line.checkpoint.empty() && line.config_file.empty() &&
      line.policy.empty()) {
    throw UsageError(
        "evaluate: no policy given; use --run-dir runs/NAME, --checkpoint FILE, "
        "--pretrained NAME or a scripted --policy");
  }
  return line;
}

}  // namespace dray
