#include <csignal>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command_line.h"
#include "src/config/dump.h"
#include "src/envs/registry.h"
#include "src/nets/device.h"
#include "src/run/commands.h"
#include "src/run/local_runner.h"
#include "src/run/plan.h"
#include "src/run/training.h"

namespace dray {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first signal asks for an orderly end; a second one, of either kind, ends the process as it
// would have anyway.
void CatchSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    interrupted = 1;
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
  };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// The flag or the file that a setting has its value from.
std::string WhereSet(const CommandLine& line, const std::string& path) {
  std::string where = line.config_file;
  for (const Override& override : line.overrides) {
    if (override.path == path) where = override.source;
  }
  return where;
}

// An unknown environment is an Error that also says where it was named.
EnvSpec SpecOf(const CommandLine& line) {
  try {
    return SpecOf(line.config.env());
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(WhereSet(line, "env.name"), ": env.name: ", error.what()));
  }
}

}  // namespace

void TrainCommand(std::span<const std::string> arguments) {
  const CommandLine line = ParseCommandLine(Command::kTrain, arguments);
  if (line.help) {
    std::cout << HelpText(Command::kTrain);
    return;
  }
  Training::Options options;
  options.config = line.config;
  const EnvSpec spec = SpecOf(line);
  if (options.config.run().runner() == RAY) {
    throw UsageError("runner ray: this version trains in one process alone; use --runner local");
  }
  const Plan plan = MakePlan(options.config, spec);
  // A multiplication and an addition per parameter and row, forwards once and backwards twice.
  const at::Device device =
      ChooseDevice(options.config.run().device(), 6.0 * static_cast<double>(plan.parameters) *
                                                      options.config.ppo().minibatch_size());
  if (line.dry_run) {
    std::cout << DumpYaml(options.config) << "\n"
              << PreflightText(plan, options.config, spec) << "  device        "
              << DeviceName(device) << "\n";
    return;
  }
  options.resume = line.resume;
  options.where_set = [&line](const std::string& path) { return WhereSet(line, path); };
  options.device = DeviceName(device);
  options.out = &std::cout;
  options.style = TerminalStyle::OfStandardOutput();
  CatchSignals();
  Training training(options);
  LocalRunner(training, device).Run([] { return interrupted != 0; });
}

}  // namespace dray
