#include "src/commands/evaluate_arguments.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// Joins what the tasks say about something they offer.
template <typename Offer>
std::string HelpOf(std::optional<Offer> Task::*offer) {
  std::string help;
  for (const Task& task : AllTasks()) {
    if (task.*offer) help += Cat(help.empty() ? "" : "; ", (task.*offer)->help);
  }
  return help;
}

// Returns the heading of flags that only one task offers.
template <typename Offer>
std::string GroupOf(std::optional<Offer> Task::*offer) {
  const Task* only = nullptr;
  for (const Task& task : AllTasks()) {
    if (!(task.*offer)) continue;
    if (only != nullptr) return "";
    only = &task;
  }
  return only == nullptr ? "" : FlagGroup(*only);
}

}  // namespace

std::vector<Flag> EvaluateFlags() {
  using enum FlagForm;
  std::vector<Flag> flags = {
      {.name = "run-dir",
       .form = kPath,
       .value = "DIR",
       .path = "run.dir",
       .help = "Folder of the run to evaluate",
       .aliases = {"checkpoint-dir", "output-dir"}},
      {.name = "checkpoint",
       .form = kPath,
       .value = "FILE",
       .help = "Checkpoint to evaluate [default: the newest of the run folder]"},
      {.name = "pretrained",
       .form = kText,
       .value = "NAME",
       .help =
           "Policy shipped with Dray, such as dvrptw_best or cage2_mixture, instead of a run's"},
      kSetFlag,
      EnvFlag("Environment to play, if not the one trained on: a built-in task"),
      {.name = "policy",
       .form = kText,
       .value = "NAME",
       .help = Cat(HelpOf(&Task::scripted_policies),
                   "; deliveries: one of those of --baselines, compared with doing nothing; "
                   "any task: process:COMMAND, your own program that reads a line of JSON per "
                   "step (episode, step, observation, mask) and answers with its action")},
      {.name = "episodes",
       .value = "N",
       .path = "evaluation.episodes",
       .aliases = {"num-episodes"}},
      {.name = "seed", .value = "N", .path = "evaluation.seed"},
      {.name = "baselines",
       .form = kText,
       .value = "NAMES",
       .help = HelpOf(&Task::baselines),
       .group = GroupOf(&Task::baselines)},
      {.name = "config",
       .form = kPath,
       .value = "FILE",
       .help = "Settings to play with, for --baselines or --policy without a run"},
      {.name = "out",
       .form = kPath,
       .value = "DIR",
       .help = "Write evaluation.json to this folder: the result with the return of every episode; "
               "with --baselines also evaluation.md and, for deliveries, days.jsonl"},
      {.name = "render",
       .form = kOptionalPath,
       .value = "[DIR]",
       .help =
           "Describe every step; with a folder, draw an episode into it, if the task has pictures "
           "(deliveries: only with --baselines)"},
      {.name = "episode",
       .form = kText,
       .value = "N",
       .help = "Episodes to draw: numbers from 1, or best, median and worst, separated by commas "
               "[default: 1]"},
      {.name = "json", .form = kSwitch, .help = "Print the result as one line of JSON"},
      kHelpFlag,
  };
  return WithTaskFlags(std::move(flags), "policy", &Task::evaluate_flags);
}

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
