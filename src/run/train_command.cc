#include <csignal>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command_line.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "src/envs/registry.h"
#include "src/nets/device.h"
#include "src/run/commands.h"
#include "src/run/local_runner.h"
#include "src/run/plan.h"
#include "src/run/training.h"

namespace dray {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first signal asks for an orderly end; the second one ends the process as it would have
// anyway.
void CatchSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// A resumed run keeps its own config, with what this command line sets on top.
Config ConfigOf(const CommandLine& line) {
  if (!line.resume || line.config_given) return line.config;
  Config config;
  if (line.config.run().dir().empty()) {
    throw UsageError("--resume needs the run to go on with: --resume RUN_FOLDER");
  }
  LoadYamlFile(line.config.run().dir() + "/config.yaml", &config);
  ApplyOverrides(line.overrides, &config);
  return config;
}

}  // namespace

void TrainCommand(std::span<const std::string> arguments) {
  const CommandLine line = ParseCommandLine(Command::kTrain, arguments);
  if (line.help) {
    std::cout << HelpText(Command::kTrain);
    return;
  }
  Training::Options options;
  options.config = ConfigOf(line);
  const EnvSpec spec = SpecOf(options.config.env());
  if (line.dry_run) {
    const Plan plan = MakePlan(options.config, spec);
    std::cout << DumpYaml(options.config) << "\n" << PreflightText(plan, options.config, spec);
    return;
  }
  if (options.config.run().runner() == RAY) {
    throw UsageError("runner ray: this version trains in one process alone; use --runner local");
  }
  const at::Device device = ChooseDevice(options.config.run().device());
  options.resume = line.resume;
  options.device = DeviceName(device);
  options.out = &std::cout;
  options.style = TerminalStyle::OfStandardOutput();
  CatchSignals();
  Training training(options);
  LocalRunner(training, device).Run([] { return interrupted != 0; });
}

}  // namespace dray
