#include <csignal>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command_line.h"
#include "src/config/dump.h"
#include "src/envs/registry.h"
#include "src/cluster/cluster_runner.h"
#include "src/cluster/layout.h"
#include "src/learn/learner_device.h"
#include "src/metrics/format.h"
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

void TrainCommand(std::span<const std::string> arguments, const OpenCluster& open_cluster) {
  const CommandLine line = ParseCommandLine(Command::kTrain, arguments);
  if (line.help) {
    std::cout << HelpText(Command::kTrain);
    return;
  }
  Training::Options options;
  options.config = line.config;
  const EnvSpec spec = SpecOf(line);
  const bool on_ray = options.config.run().runner() == RAY;
  // On a cluster the learner's machine decides.
  const at::Device device = on_ray ? at::kCPU : LearnerDevice(options.config, spec);
  options.device = on_ray ? Cat("as the cluster has it") : DeviceName(device);
  const RunPlan plan = MakePlan(options.config, spec);
  if (line.dry_run) {
    std::cout << DumpYaml(options.config) << "\n"
              << PreflightText(plan, options.config, spec) << "  device        " << options.device
              << "\n";
    return;
  }
  options.resume = line.resume;
  options.where_set = [&line](const std::string& path) { return WhereSet(line, path); };
  options.out = &std::cout;
  options.style = TerminalStyle::OfStandardOutput();
  CatchSignals();
  const auto stop = [] { return interrupted != 0; };
  if (!on_ray) {
    Training training(options);
    LocalRunner(training, device).Run(stop);
    return;
  }
  const std::unique_ptr<Cluster> cluster = open_cluster(spec.name);
  const Cluster::Info& info = cluster->info();
  options.most_shards = MostShards(options.config, info);
  options.device = info.gpus > 0 ? "gpu" : "cpu";
  // What the cluster lacks is said before a run folder is made.
  LayOut(options.config, MakePlan(options.config, spec, options.most_shards), spec.oracle_actors,
         info);
  Training training(options);
  training.Say(Cat("Ray at ", info.address, ": ", FormatCounted(info.nodes, "node", "nodes"), ", ",
                   FormatSignificant(info.cpus, 4), " CPUs, ", FormatSignificant(info.gpus, 4),
                   " GPUs", info.dashboard.empty() ? "" : "; dashboard " + info.dashboard));
  ClusterRunner(training, *cluster).Run(stop);
}

}  // namespace dray
