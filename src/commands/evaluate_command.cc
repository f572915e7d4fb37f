#include <iostream>
#include <memory>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/commands/data_help.h"
#include "src/commands/evaluate_arguments.h"
#include "src/commands/evaluation_run.h"
#include "src/commands/process_player.h"
#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/episode_play.h"
#include "src/loop/evaluator.h"

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
      report.episodes.push_back(
          PlayEpisode(*MakeEpisodeEnv(played, make, i), i, *player, {}, watch));
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
          .flags = EvaluateFlags(),
          .body = EvaluateCommand,
          .data_help = DataHelp};
}
}  // namespace commands

}  // namespace dray
