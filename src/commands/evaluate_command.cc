#include <iostream>

#include "src/base/error.h"
#include "src/commands/command.h"
#include "src/commands/compare_baselines.h"
#include "src/commands/evaluate_arguments.h"
#include "src/commands/evaluation_text.h"
#include "src/commands/run_arguments.h"
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

Source FindCheckpoint(const EvaluateArguments& line) {
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

void Evaluate(const EvaluateArguments& line, Config config, const EvaluatedPolicy& policy,
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

void EvaluateTrained(const EvaluateArguments& line, const Config& config, const Source& source) {
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

void EvaluateScripted(const EvaluateArguments& line) {
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

void EvaluateCommand(const GivenFlags& given, const OpenCluster& /*open_cluster*/) {
  const EvaluateArguments line = ReadEvaluateArguments(given);
  if (!line.policy.empty()) return EvaluateScripted(line);
  if (!line.config_file.empty()) return CompareBaselines(line, line.config, {});
  const Source source = FindCheckpoint(line);
  Config config;
  LoadYamlText(source.checkpoint.config_yaml, source.path, &config);
  ApplyOverrides(line.overrides, &config);
  if (!line.baselines.empty()) return CompareBaselines(line, config, source.checkpoint);
  EvaluateTrained(line, config, source);
}

std::vector<Flag> Flags() {
  using enum FlagForm;
  return {
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
      kSetFlag,
      {.name = "env",
       .form = kText,
       .value = "NAME",
       .path = "env.name",
       .help = "Environment, when not the one trained on"},
      {.name = "policy",
       .form = kText,
       .value = "NAME",
       .help = "cage2: play a scripted policy instead of a trained one: sleep, random, "
               "react_remove_restore, or actions:FILE (numbers 0 to 144, one for each step)"},
      {.name = "red",
       .form = kText,
       .value = "AGENT",
       .path = "env.<env>.red",
       .help = "cage2: who attacks, bline, meander or sleep, or a mixture; all: each of them in "
               "turn, with the challenge's nine scores"},
      {.name = "release",
       .value = "head|leaderboard",
       .path = "env.<env>.release",
       .help = "cage2: whose dynamics"},
      {.name = "wrapper",
       .value = "stock|cardiff",
       .path = "env.<env>.wrapper",
       .help = "cage2: who reads the monitor"},
      {.name = "green",
       .value = "on|off",
       .path = "env.<env>.green",
       .help = "cage2: users who raise false alarms"},
      {.name = "episodes",
       .value = "N",
       .path = "evaluation.episodes",
       .aliases = {"num-episodes"}},
      {.name = "seed", .value = "N", .path = "evaluation.seed"},
      {.name = "baselines",
       .form = kText,
       .value = "NAMES",
       .help = "Deliveries: compare with simple policies on the same episodes, judged by an "
               "independent solver: all, or some of none, random, random_accepted, max_shift, "
               "myopic_hopeful, myopic_believed, myopic_true, hindsight, joined by commas"},
      {.name = "config",
       .form = kPath,
       .value = "FILE",
       .help = "With --baselines or --policy and no run: the settings to play under"},
      {.name = "out",
       .form = kPath,
       .value = "DIR",
       .help = "With --baselines: write evaluation.md and evaluation.json there"},
      {.name = "render",
       .form = kOptionalPath,
       .value = "[DIR]",
       .help = "Describe every step; with a folder and --baselines, draw the plan of an episode "
               "there"},
      {.name = "episode",
       .form = kText,
       .value = "N",
       .help = "Which episode to draw, from 1 [default: 1]"},
      {.name = "json", .form = kSwitch, .help = "Print the result as one line of JSON"},
      kHelpFlag,
  };
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
              "  evaluate --run-dir runs/first --episodes 1 --render\n",
          .settings = Config::descriptor(),
          .flags = Flags(),
          .body = EvaluateCommand};
}
}  // namespace commands

}  // namespace dray
