#include <iostream>

#include "src/base/error.h"
#include "src/commands/command_line.h"
#include "src/commands/commands.h"
#include "src/commands/compare_baselines.h"
#include "src/commands/evaluation_text.h"
#include "src/commands/scripted_player.h"
#include "src/config/yaml_loader.h"
#include "src/envs/cage2/cage2.pb.h"
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

void Evaluate(const CommandLine& line, Config config, const EvaluatedPolicy& policy,
              const Play& play) {
  Watch watch;
  if (line.render) watch = [](const std::string& text) { std::cout << text << "\n"; };
  const EnvSpec spec = SpecOf(config.env());
  if (!line.every_red) {
    const EvaluationReport report = play(config, watch);
    std::cout << (line.json ? EvaluationJson(policy, report, spec, config)
                            : EvaluationText(policy, report, spec, config));
    return;
  }
  if (spec.name != "cage2") {
    throw UsageError("--red all: the environment ", spec.name, " has no red; only cage2 has");
  }
  std::vector<RedScore> scores;
  for (const std::string red : {"bline", "meander", "sleep"}) {
    config.mutable_env()->MutableExtension(Cage2Config::cage2)->set_red(red);
    scores.push_back({red, play(config, watch)});
  }
  std::cout << (line.json ? ScoresJson(policy, scores, spec, config)
                          : ScoresText(policy, scores, spec, config));
}

void EvaluateTrained(const CommandLine& line, const Config& config, const Source& source) {
  const Checkpoint& checkpoint = source.checkpoint;
  const EvaluatedPolicy policy{
      Cat("epoch ", checkpoint.epoch, " of ", source.path, ", deterministic policy"),
      Cat("\"checkpoint\": ", JsonString(source.path), ", \"epoch\": ", checkpoint.epoch)};
  Evaluate(line, config, policy, [&](const Config& played, const Watch& watch) {
    try {
      return Evaluator(played).Evaluate(checkpoint.weights, checkpoint.side_model, watch);
    } catch (const Error& error) {
      throw Error(error.kind(), Cat(source.path, ": ", error.what()));
    }
  });
}

void EvaluateScripted(const CommandLine& line) {
  Config config = line.config;
  const auto player = MakeScriptedPlayer(line.policy, &config);
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
