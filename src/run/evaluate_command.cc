#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command_line.h"
#include "src/config/yaml_loader.h"
#include "src/metrics/format.h"
#include "src/run/checkpoint.h"
#include "src/run/commands.h"
#include "src/run/compare_baselines.h"
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

EvaluationReport Evaluate(const Config& config, const Source& source, bool render) {
  Evaluator::Watch watch;
  if (render) watch = [](const std::string& text) { std::cout << text << "\n"; };
  try {
    return Evaluator(config).Evaluate(source.checkpoint.weights, source.checkpoint.learned, watch);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(source.path, ": ", error.what()));
  }
}

std::string JsonString(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    char escape[8];
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      text += escape;
    } else {
      text += c;
    }
  }
  return text + '"';
}

void PrintJson(const EvaluationReport& report, const Source& source, const Config& config) {
  std::cout << "{\"env\": " << JsonString(config.env().name())
            << ", \"checkpoint\": " << JsonString(source.path)
            << ", \"epoch\": " << source.checkpoint.epoch
            << ", \"policy_version\": " << report.policy_version
            << ", \"episodes\": " << report.episodes.size()
            << ", \"seed\": " << config.evaluation().seed()
            << ", \"return_mean\": " << JsonNumber(report.mean_return())
            << ", \"return_std\": " << JsonNumber(report.std_return())
            << ", \"return_ci95\": " << JsonNumber(report.ci95_return())
            << ", \"length_mean\": " << JsonNumber(report.mean_length()) << "}\n";
}

void PrintText(const EvaluationReport& report, const Source& source, const Config& config) {
  std::printf("%s, epoch %lld of %s\n", config.env().name().c_str(),
              static_cast<long long>(source.checkpoint.epoch), source.path.c_str());
  if (report.episodes.size() > 1) {
    std::printf("  return   %.2f ± %.2f (95 %% interval of the mean), std %.2f\n",
                report.mean_return(), report.ci95_return(), report.std_return());
  } else {
    std::printf("  return   %.2f (one episode: no interval)\n", report.mean_return());
  }
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
  if (!line.config_file.empty()) return CompareBaselines(line, line.config, {});
  const Source source = FindCheckpoint(line);
  Config config;
  LoadYamlText(source.checkpoint.config_yaml, source.path, &config);
  ApplyOverrides(line.overrides, &config);
  if (!line.baselines.empty()) return CompareBaselines(line, config, source.checkpoint);
  const EvaluationReport report = Evaluate(config, source, line.render);
  line.json ? PrintJson(report, source, config) : PrintText(report, source, config);
}

}  // namespace dray
