#include <iostream>

#include "src/base/error.h"
#include "src/commands/command_line.h"
#include "src/commands/commands.h"
#include "src/commands/evaluation_text.h"
#include "src/config/overrides.h"
#include "src/config/yaml_loader.h"
#include "src/envs/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/evaluator.h"

namespace dray {
namespace {

struct Source {
  Checkpoint checkpoint;
  std::string path;
};

Source FindCheckpoint(const CommandLine& line) {
  if (!line.checkpoint.empty())
    return {CheckpointStore::LoadFile(line.checkpoint), line.checkpoint};
  const std::string& folder = line.config.run().dir();
  const CheckpointStore store(folder + "/checkpoints", {});
  if (store.empty()) {
    throw UsageError("--run-dir ", folder, ": there is no checkpoint in ", folder,
                     "/checkpoints; name the folder of a run, or a file with --checkpoint");
  }
  auto found = store.LoadNewest();
  for (const std::string& reason : found.damaged) {
    std::cerr << "dray: " << reason << ": using " << found.path << "\n";
  }
  return {std::move(found.checkpoint), std::move(found.path)};
}

// Plays the config's episodes.
using Play = std::function<EvaluationReport(const Config& config, const Watch& watch)>;

// One evaluation for each value of the setting that --<setting> all names.
void EvaluateAll(const CommandLine& line, const Config& config, const EvaluatedPolicy& policy,
                 const Play& play, const Watch& watch) {
  const Task& task = TaskOf(config.env());
  const std::string& setting = line.every_value_of;
  if (!task.score_table || task.score_table->setting != setting) {
    throw UsageError(
        "--", setting, " all: the environment ", task.name, " has no ", setting, "; only ",
        NamesOfTasks([](const Task& other) { return other.score_table.has_value(); }), " has");
  }
  std::vector<ScoreRow> rows;
  for (const std::string& value : task.score_table->values) {
    Config one = config;
    ApplyOverride({Cat("env.", task.name, ".", setting), value, Cat("--", setting, " all")}, &one);
    rows.push_back({value, play(one, watch)});
  }
  const auto print = line.json ? task.score_table->json : task.score_table->text;
  std::cout << print(policy, rows, SpecOf(config.env()), config);
}

void Evaluate(const CommandLine& line, const Config& config, const EvaluatedPolicy& policy,
              const Play& play) {
  Watch watch;
  if (line.render) watch = [](const std::string& text) { std::cout << text << "\n"; };
  if (!line.every_value_of.empty()) return EvaluateAll(line, config, policy, play, watch);
  const Task& task = TaskOf(config.env());
  const EnvSpec spec = SpecOf(config.env());
  const EvaluationReport report = play(config, watch);
  if (!line.json) {
    std::cout << EvaluationText(policy, report, spec, config);
    return;
  }
  const std::string further = task.evaluation_json ? task.evaluation_json(report, spec) : "";
  std::cout << EvaluationJson(policy, report, spec, config, further);
}

void EvaluateTrained(const CommandLine& line, const Config& config, const Source& source) {
  const Checkpoint& checkpoint = source.checkpoint;
  const EvaluatedPolicy policy{
      Cat("epoch ", checkpoint.epoch, " of ", source.path, ", deterministic policy"),
      Cat("\"checkpoint\": ", JsonString(source.path), ", \"epoch\": ", checkpoint.epoch)};
  Evaluate(line, config, policy, [&](const Config& played, const Watch& watch) {
    try {
      return Evaluator(played).Evaluate(checkpoint.weights, checkpoint.learned, watch);
    } catch (const Error& error) {
      throw Error(error.kind(), Cat(source.path, ": ", error.what()));
    }
  });
}

void EvaluateScripted(const CommandLine& line) {
  Config config = line.config;
  const Task& task = TaskOf(config.env());
  if (!task.scripted_policies) {
    const std::string players =
        NamesOfTasks([](const Task& other) { return other.scripted_policies.has_value(); });
    throw UsageError("--policy ", line.policy, ": scripted policies play ", players, ", not ",
                     task.name, "; add --env ", players);
  }
  const auto player = task.scripted_policies->make(line.policy, &config);
  const EvaluatedPolicy policy{Cat("policy ", line.policy),
                               Cat("\"policy\": ", JsonString(line.policy))};
  Evaluate(line, config, policy, [&](const Config& played, const Watch& watch) {
    EvaluationReport report;
    for (int i = 0; i < played.evaluation().episodes(); ++i) {
      report.episodes.push_back(PlayEpisode(played, MakeBatchEnv, i, *player, {}, watch));
    }
    return report;
  });
}

void CompareBaselines(const CommandLine& line, const Config& config, const Checkpoint& checkpoint) {
  const Task& task = TaskOf(config.env());
  if (!task.baselines) {
    throw UsageError("--baselines: ", task.name, " has none; they are for ",
                     NamesOfTasks([](const Task& other) { return other.baselines.has_value(); }));
  }
  task.baselines->compare(config, {.names = line.baselines,
                                   .weights = checkpoint.weights,
                                   .learned = checkpoint.learned,
                                   .json = line.json,
                                   .out = line.out,
                                   .render_folder = line.render_folder,
                                   .episode = line.episode});
}

}  // namespace

void EvaluateCommand(std::span<const std::string> arguments) {
  const CommandLine line = ParseCommandLine(Command::kEvaluate, arguments);
  if (line.help) {
    std::cout << HelpText(Command::kEvaluate);
    return;
  }
  if (!line.policy.empty()) return EvaluateScripted(line);
  if (!line.config_file.empty()) return CompareBaselines(line, line.config, {});
  const Source source = FindCheckpoint(line);
  Config config;
  LoadYamlText(source.checkpoint.config_yaml, source.path, &config);
  ApplyOverrides(line.overrides, &config);
  if (!line.baselines.empty()) return CompareBaselines(line, config, source.checkpoint);
  EvaluateTrained(line, config, source);
}

}  // namespace dray
