#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/commands/data_help.h"
#include "src/commands/evaluate_arguments.h"
#include "src/commands/evaluation_text.h"
#include "src/commands/process_player.h"
#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/config/overrides.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/evaluator.h"
#include "src/metrics/progress_line.h"

namespace dray {
namespace {

constexpr std::string_view kProcessPolicy = "process:";

using Source = CheckpointStore::Found;

Source FindCheckpoint(const EvaluateArguments& line) {
  if (!line.checkpoint.empty()) {
    return {CheckpointStore::LoadFile(line.checkpoint), line.checkpoint, {}};
  }
  Source found = CheckpointStore::Find(line.config.run().dir());
  for (const std::string& reason : found.damaged) {
    std::cerr << "dray: " << reason << ": using " << found.path << "\n";
  }
  return found;
}

// Plays the config's episodes, each in environments made by `make`.
using Play =
    std::function<EvaluationReport(const Config& config, const EnvMaker& make, const Watch& watch)>;

// Shows the progress of several evaluations, by the number of episodes begun.
class EpisodeProgress {
 public:
  explicit EpisodeProgress(int episodes)
      : line_("playing", [this, episodes] {
          return std::max(0, begun_ - 1) / static_cast<double>(episodes);
        }) {}

  EnvMaker make() {
    return [this](const auto&... arguments) {
      ++begun_;
      return MakeBatchEnv(arguments...);
    };
  }

 private:
  std::atomic<int> begun_ = 0;
  ProgressLine line_;
};

// Prints every step if --render is given.
Watch WatchOf(const EvaluateArguments& line) {
  if (!line.render || !line.render_folder.empty()) return {};
  return {.text = [](const std::string& text) { std::cout << text << "\n"; }};
}

// Plays again to record what is to be drawn into the folder of --render. The same seed gives the
// same episodes.
void DrawEpisodes(const EvaluateArguments& line, const Config& config,
                  const EvaluationReport& report, const Play& play) {
  std::vector<double> returns;
  for (const Episode& episode : report.episodes) returns.push_back(episode.total_reward);
  const std::vector<int> wanted = line.drawn.Choose(returns);
  std::map<int, EpisodeFrames> frames;
  Config played = config;
  played.mutable_evaluation()->set_episodes(std::ranges::max(wanted));
  play(played, MakeBatchEnv, {.frame = [&](int index, std::string frame) {
         if (std::ranges::find(wanted, index + 1) != wanted.end())
           frames[index + 1].push_back(std::move(frame));
       }});
  for (const auto& [episode, watched] : frames) {
    for (const std::string& path :
         TaskOf(config.env()).draw_episode(config, watched, episode, line.render_folder)) {
      (line.json ? std::cerr : std::cout) << "drawn " << path << "\n";
    }
  }
}

// Checks what can be drawn before an hour is spent on playing.
void CheckPictures(const EvaluateArguments& line, const Config& config) {
  if (line.render_folder.empty()) return;
  const Task& task = TaskOf(config.env());
  if (task.draw_episode == nullptr || !line.every_value_of.empty()) {
    throw UsageError("--render ", line.render_folder, ": ",
                     task.draw_episode == nullptr
                         ? Cat(task.name,
                               " draws no pictures of an episode; --render alone "
                               "describes every step")
                         : Cat("goes with one --", line.every_value_of, ", not with all"));
  }
  line.drawn.ExpectWithin(config.evaluation().episodes());
}

// Writes the result with every episode if --out is given.
void WriteEvaluation(const EvaluateArguments& line, Json json, Json episodes) {
  if (line.out.empty()) return;
  json["by_episode"] = std::move(episodes);
  WriteFileAtomically(line.out + "/evaluation.json", JsonText(json) + "\n", "--out");
  std::cerr << "written " << line.out << "/evaluation.json\n";
}

// Evaluates each value of the setting given as --<setting> all.
void EvaluateAll(const EvaluateArguments& line, const Config& config, const EvaluatedPolicy& policy,
                 const Play& play, const Watch& watch) {
  const Task& task = TaskOf(config.env());
  const std::string& setting = line.every_value_of;
  if (!task.score_table || task.score_table->setting != setting) {
    throw UsageError("--", setting, " all: the environment ", task.name, " has no ", setting,
                     "; only ", TasksThatOffer(&Task::score_table), " has");
  }
  std::vector<ScoreRow> rows;
  const int rounds = task.score_table->values.size();
  std::optional<EpisodeProgress> progress(rounds * config.evaluation().episodes());
  for (const std::string& value : task.score_table->values) {
    Config one = config;
    ApplyOverride({Cat("env.", task.name, ".", setting), value, Cat("--", setting, " all")}, &one);
    rows.push_back({value, play(one, progress->make(), watch)});
  }
  progress.reset();
  const EnvSpec spec = SpecOf(config.env());
  const Json json = task.score_table->json(policy, rows, spec, config);
  std::cout << (line.json ? JsonText(json) + "\n"
                          : task.score_table->text(policy, rows, spec, config));
  Json episodes;
  for (const ScoreRow& row : rows) episodes[row.value] = EpisodesJson(row.report, spec, config);
  WriteEvaluation(line, json, std::move(episodes));
}

void Evaluate(const EvaluateArguments& line, const Config& given, const EvaluatedPolicy& policy,
              const Play& play) {
  // Files are read once, not again for every episode.
  const Config config = CarryingFiles(given);
  CheckPictures(line, config);
  const Watch watch = WatchOf(line);
  if (!line.every_value_of.empty()) return EvaluateAll(line, config, policy, play, watch);
  const Task& task = TaskOf(config.env());
  const EnvSpec spec = SpecOf(config.env());
  std::optional<EpisodeProgress> progress(config.evaluation().episodes());
  const EvaluationReport report = play(config, progress->make(), watch);
  progress.reset();
  const Json further = task.evaluation_json ? task.evaluation_json(report, spec) : Json::object();
  const Json json = EvaluationJson(policy, report, spec, config, further);
  std::cout << (line.json ? JsonText(json) + "\n" : EvaluationText(policy, report, spec, config));
  WriteEvaluation(line, json, EpisodesJson(report, spec, config));
  if (!line.render_folder.empty()) DrawEpisodes(line, config, report, play);
}

void EvaluateTrained(const EvaluateArguments& line, const Config& config, const Source& source) {
  const Checkpoint& checkpoint = source.checkpoint;
  const EvaluatedPolicy policy{
      Cat("epoch ", checkpoint.epoch, " of ", source.path, ", deterministic policy"),
      {{"checkpoint", source.path}, {"epoch", checkpoint.epoch}}};
  const auto play = [&](const Config& played, const EnvMaker& make, const Watch& watch) {
    try {
      return Evaluator(played, make).Evaluate(checkpoint.weights, checkpoint.side_model, watch);
    } catch (const Error& error) {
      throw Error(error.kind(), Cat(source.path, ": ", error.what()));
    }
  };
  Evaluate(line, config, policy, play);
}

// Makes the player of --policy: the user's own program, or one of the task's scripted policies.
// Adjusts the config to what it can play.
std::unique_ptr<Player> MakePlayer(const EvaluateArguments& line, Config* config) {
  const Task& task = TaskOf(config->env());
  if (line.policy.starts_with(kProcessPolicy)) {
    return std::make_unique<ProcessPlayer>(line.policy.substr(kProcessPolicy.size()),
                                           SpecOf(config->env()));
  }
  if (!task.scripted_policies) {
    const std::string players = TasksThatOffer(&Task::scripted_policies);
    throw UsageError("--policy ", line.policy, ": scripted policies play ", players, ", not ",
                     task.name, "; add --env ", players);
  }
  return task.scripted_policies->make(line.policy, config);
}

void EvaluateScripted(const EvaluateArguments& line) {
  Config config = FollowingFiles(line.config);
  const std::unique_ptr<Player> player = MakePlayer(line, &config);
  const EvaluatedPolicy policy{Cat("policy ", line.policy), {{"policy", line.policy}}};
  const auto play = [&](const Config& played, const EnvMaker& make, const Watch& watch) {
    EvaluationReport report;
    for (int i = 0; i < played.evaluation().episodes(); ++i) {
      report.episodes.push_back(PlayEpisode(played, make, i, *player, {}, watch));
    }
    return report;
  };
  Evaluate(line, config, policy, play);
}

// Returns true if --policy names one of the policies that the task compares.
bool IsCompared(const EvaluateArguments& line, const Config& config) {
  const Task& task = TaskOf(config.env());
  return !line.policy.empty() && !line.policy.starts_with(kProcessPolicy) &&
         !task.scripted_policies && task.baselines;
}

void CompareBaselines(const EvaluateArguments& line, const Config& config,
                      const Checkpoint& checkpoint) {
  const Task& task = TaskOf(config.env());
  if (!task.baselines) {
    throw UsageError("--baselines: ", task.name, " has none; they are for ",
                     TasksThatOffer(&Task::baselines));
  }
  const std::vector<std::string> alone = {line.policy};
  const Config followed = FollowingFiles(config);
  // Kept apart from the comparison, which may be JSON.
  for (const std::string& note : SpecOf(followed.env()).notes)
    std::cerr << "Note: " << note << "\n";
  task.baselines->compare(followed, {.names = line.policy.empty() ? line.baselines : alone,
                                     .weights = checkpoint.weights,
                                     .side_model = checkpoint.side_model,
                                     .json = line.json,
                                     .out = line.out,
                                     .render_folder = line.render_folder,
                                     .drawn = line.drawn});
}

void EvaluateCommand(const GivenFlags& given) {
  const EvaluateArguments line = ReadEvaluateArguments(given);
  // Fails before an hour is spent on results that cannot be written.
  if (!line.out.empty()) MakeWritableFolder(line.out, "--out");
  if (!line.policy.empty() && !line.with_run) {
    if (IsCompared(line, line.config)) return CompareBaselines(line, line.config, {});
    return EvaluateScripted(line);
  }
  if (!line.config_file.empty()) return CompareBaselines(line, line.config, {});
  const Source source = FindCheckpoint(line);
  Config config;
  LoadYamlText(source.checkpoint.config_yaml, source.path, &config);
  ApplyOverrides(line.overrides, &config);
  if (!line.baselines.empty() || IsCompared(line, config)) {
    return CompareBaselines(line, config, source.checkpoint);
  }
  if (!line.policy.empty()) {
    throw UsageError(
        "--policy ", line.policy,
        ": cannot be combined with a trained policy; drop it, or --run-dir and --checkpoint");
  }
  EvaluateTrained(line, config, source);
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

std::vector<Flag> Flags() {
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
       .help = "A policy that comes with Dray, such as dvrptw_best or cage2_mixture, instead of a "
               "run's"},
      kSetFlag,
      {.name = "env",
       .form = kText,
       .value = "NAME",
       .path = "env.name",
       .help = "Environment, when not the one trained on"},
      {.name = "policy",
       .form = kText,
       .value = "NAME",
       .help = Cat(HelpOf(&Task::scripted_policies),
                   "; deliveries: one of those of --baselines, beside the one that does nothing; "
                   "any task: process:COMMAND, a program of your own that reads a line of JSON for "
                   "each step (episode, step, observation, mask) and answers with its action")},
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
       .help = "With --baselines or --policy and no run: the settings to play under"},
      {.name = "out",
       .form = kPath,
       .value = "DIR",
       .help = "Write evaluation.json there: the result with the return of every episode; with "
               "--baselines also evaluation.md and, of deliveries, days.jsonl"},
      {.name = "render",
       .form = kOptionalPath,
       .value = "[DIR]",
       .help = "Describe every step; with a folder, draw an episode there (cage2; deliveries with "
               "--baselines)"},
      {.name = "episode",
       .form = kText,
       .value = "N",
       .help = "Which to draw: numbers, from 1, or best, median and worst, joined by commas "
               "[default: 1]"},
      {.name = "json", .form = kSwitch, .help = "Print the result as one line of JSON"},
      kHelpFlag,
  };
  return WithTaskFlags(std::move(flags), "policy", &Task::evaluate_flags);
}

}  // namespace

namespace commands {
Command evaluate() {
  return {.name = "evaluate",
          .intro =
              "Plays a trained agent's most likely actions for a number of episodes and "
              "reports the returns.\n",
          .examples =
              "  evaluate --run-dir runs/first\n"
              "  evaluate --run-dir runs/first --episodes 100 --seed 7 --json\n"
              "  evaluate --run-dir runs/first --episodes 1 --render\n"
              "  evaluate --pretrained cage2_mixture --red all --episodes 1000\n",
          .settings = Config::descriptor(),
          .flags = Flags(),
          .body = EvaluateCommand,
          .data_help = DataHelp};
}
}  // namespace commands

}  // namespace dray
