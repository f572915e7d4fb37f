#include <cstdio>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command_line.h"
#include "src/config/yaml_loader.h"
#include "src/run/checkpoint.h"
#include "src/run/commands.h"
#include "src/run/evaluator.h"

namespace dray {
namespace {

struct Source {
  Checkpoint checkpoint;
  std::string path;
};

Source FindCheckpoint(const CommandLine& line) {
  if (!line.checkpoint.empty())
    return {CheckpointStore::LoadFile(line.checkpoint), line.checkpoint};
  if (line.config.run().dir().empty()) {
    throw UsageError("which run? give --run-dir RUN_FOLDER or --checkpoint FILE");
  }
  auto found = CheckpointStore(line.config.run().dir() + "/checkpoints", {}).LoadNewest();
  for (const std::string& reason : found.damaged) {
    std::cerr << reason << ": using " << found.path << "\n";
  }
  return {std::move(found.checkpoint), std::move(found.path)};
}

void PrintJson(const EvaluationReport& report, const Source& source, const Config& config) {
  std::printf(
      "{\"env\": \"%s\", \"checkpoint\": \"%s\", \"epoch\": %lld, \"policy_version\": %lld, "
      "\"episodes\": %zu, \"seed\": %llu, \"return_mean\": %.10g, \"return_std\": %.10g, "
      "\"return_ci95\": %.10g, \"length_mean\": %.10g}\n",
      config.env().name().c_str(), source.path.c_str(),
      static_cast<long long>(source.checkpoint.epoch),
      static_cast<long long>(report.policy_version), report.episodes.size(),
      static_cast<unsigned long long>(config.evaluation().seed()), report.mean_return(),
      report.std_return(), report.episodes.size() > 1 ? report.ci95_return() : 0.0,
      report.mean_length());
}

void PrintText(const EvaluationReport& report, const Source& source, const Config& config) {
  std::printf("%s, epoch %lld of %s\n", config.env().name().c_str(),
              static_cast<long long>(source.checkpoint.epoch), source.path.c_str());
  std::printf("  return   %.2f ± %.2f (95 %% interval of the mean), std %.2f\n",
              report.mean_return(), report.ci95_return(), report.std_return());
  std::printf("  length   %.1f steps\n", report.mean_length());
  std::printf("  episodes %zu, deterministic policy, seed %llu\n", report.episodes.size(),
              static_cast<unsigned long long>(config.evaluation().seed()));
}

}  // namespace

void EvaluateCommand(std::span<const std::string> arguments) {
  const CommandLine line = ParseCommandLine(Command::kEvaluate, arguments);
  if (line.help) {
    std::cout << HelpText(Command::kEvaluate);
    return;
  }
  const Source source = FindCheckpoint(line);
  Config config;
  LoadYamlText(source.checkpoint.config_yaml, source.path, &config);
  ApplyOverrides(line.overrides, &config);
  Evaluator::Watch watch;
  if (line.render) watch = [](const std::string& text) { std::cout << text << "\n"; };
  const EvaluationReport report = Evaluator(config).Evaluate(source.checkpoint.weights, watch);
  line.json ? PrintJson(report, source, config) : PrintText(report, source, config);
}

}  // namespace dray
