#include "src/commands/train_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <utility>

#include "src/base/error.h"
#include "src/base/interruption.h"
#include "src/base/memory.h"
#include "src/cluster/cluster_runner.h"
#include "src/cluster/layout.h"
#include "src/cluster/settle_on_cluster.h"
#include "src/commands/command_host.h"
#include "src/commands/data_help.h"
#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/config/dump.h"
#include "src/env/registry.h"
#include "src/loop/auto_settings.h"
#include "src/loop/early_stop.h"
#include "src/loop/env_count.h"
#include "src/loop/local_runner.h"
#include "src/loop/run_plan.h"
#include "src/loop/training.h"
#include "src/nets/device.h"
#include "src/nets/memory.h"
#include "src/nets/net_shape.h"
#include "src/output/format.h"
#include "src/output/progress_line.h"

namespace dray {
namespace {

constexpr char kDefaultConfig[] = "dvrptw_best";

// Resolves what files say about the environment. For an unknown environment or wrong settings, the
// Error also says where it was set; for a mistake in a data file it names only that file.
EnvSpec SettleEnv(RunArguments* line) {
  try {
    TaskOf(line->config.env());
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(WhereSet(*line, "env.name"), ": env.name: ", error.what()));
  }
  try {
    line->config = FollowingFiles(line->config);
    return SpecOf(line->config.env());
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (!what.starts_with("env.")) throw;
    const std::string key(what.substr(0, what.find(": ")));
    throw Error(error.kind(), Cat(WhereSet(*line, key), ": ", what));
  }
}

// Reports a goal that the task does not have before a run folder is created.
void CheckGoal(const RunArguments& line, const EnvSpec& spec) {
  try {
    EarlyStop(line.config.train().early_stop(), spec);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(WhereSet(line, "train.early_stop.stat"), ": ", error.what()));
  }
}

// Rejects networks that do not fit in memory before anything is tried with them.
void CheckNetworkFits(const Training::Options& options, const EnvSpec& spec, bool on_gpu,
                      int64_t free_bytes) {
  const NetworkConfig& network = options.config.network();
  const std::string why =
      WhyNetworkDoesNotFit(ParameterCount(WithMemory(spec, network), network), on_gpu, free_bytes);
  if (!why.empty()) throw UsageError(options.where_set("network.hidden"), ": ", why);
}

using Stop = std::function<bool()>;

void DryRun(Config config, const EnvSpec& spec, const std::string& why_runner) {
  const bool on_ray = config.run().runner() == RunConfig::RAY;
  std::vector<std::string> chosen = {why_runner};
  if (on_ray) {
    chosen.push_back(ChooseNumEnvs(spec, ThisMachine(), &config));
  } else {
    std::ranges::move(Settle(TaskOf(config.env()), spec, &config), std::back_inserter(chosen));
  }
  std::erase(chosen, "");
  std::cout << DumpYaml(config) << "\n" << PreflightText(MakePlan(config, spec), config, spec);
  for (const std::string& note : spec.notes) std::cout << "  note          " << note << "\n";
  for (const std::string& why : chosen) std::cout << "  chosen        " << why << "\n";
  // On a cluster, the learner's machine decides.
  std::cout << "  device        "
            << (on_ray ? "decided by the cluster"
                       : DeviceName(LearnerDevice(config, Trials(config, spec)).device))
            << "\n";
}

// Large environments take a while to try.
ProgressLine Measuring() {
  return ProgressLine(
      "measuring this machine", [] { return 0.0; }, std::chrono::seconds(10));
}

// A run that finished while it was being interrupted counts as finished.
void EndIfInterrupted(const Training& training) {
  if (Interrupted() && training.coordinator().progress() < 1) throw Interruption();
}

// Trains in this process and returns the run folder.
std::string TrainHere(Training::Options options, const EnvSpec& spec, const Stop& stop) {
  CheckNetworkFits(options, spec, !ChooseDevice(options.config.run().device()).is_cpu(),
                   FreeMemoryBytes());
  std::vector<std::string> chosen;
  at::Device device = at::kCPU;
  {
    const ProgressLine line = Measuring();
    chosen = Settle(TaskOf(options.config.env()), spec, &options.config);
    device = LearnerDevice(options.config, Trials(options.config, spec)).device;
  }
  options.device = DeviceName(device);
  Training training(options);
  for (const std::string& why : chosen) training.recorder().Say(why);
  LocalRunner(training, device).Run(stop);
  EndIfInterrupted(training);
  return training.folder().path();
}

std::string TrainOnCluster(Training::Options options, const EnvSpec& asked, const CommandHost& host,
                           const Stop& stop) {
  const std::string folder = std::filesystem::path(options.config.run().dir()).filename().string();
  const std::unique_ptr<Cluster> cluster =
      host.open_cluster(Cat(asked.name, "/", folder.empty() ? asked.name : folder));
  const Cluster::Info& info = cluster->info();
  if (info.memory_bytes > 0) CheckNetworkFits(options, asked, info.gpus > 0, info.memory_bytes);
  std::vector<std::string> chosen = {
      ChooseNumEnvs(asked, {info.cpus, info.memory_bytes}, &options.config)};
  const int most_shards = ShardingOf(options.config, asked, info).most_shards;
  {
    const ProgressLine line = Measuring();
    std::ranges::move(SettleOnCluster(*cluster, most_shards, &options.config),
                      std::back_inserter(chosen));
  }
  const EnvSpec spec = SpecOf(options.config.env());
  options.sharding = ShardingOf(options.config, spec, info);
  // Environments that wait for an oracle are divided among all CPUs.
  if (spec.service_actors > 0) {
    SpreadShards(most_shards, &options.config);
  } else {
    const bool threads = options.sharding.shards_per_actor > 1;
    chosen.push_back(ChooseShards(spec, Trials(options.config, spec), options.sharding.most_shards,
                                  threads ? TimeHandingToThread() : kHandingToActor_s,
                                  &options.config));
  }
  std::erase(chosen, "");
  options.device = info.gpus > 0 ? "gpu" : "cpu";
  // Reports missing resources before a run folder is created.
  LayOut(options.config, MakePlan(options.config, spec, options.sharding), spec.service_actors,
         info);
  Training training(options);
  training.recorder().Say(Cat("Ray at ", info.address, ": ", FormatCounted(info.nodes, "node"),
                              ", ", FormatSignificant(info.cpus, 4), " CPUs, ",
                              FormatSignificant(info.gpus, 4), " GPUs",
                              info.dashboard.empty() ? "" : Cat("; dashboard ", info.dashboard)));
  for (const std::string& why : chosen) training.recorder().Say(why);
  ClusterRunner(training, *cluster).Run(stop);
  EndIfInterrupted(training);
  return training.folder().path();
}

void TrainCommand(const GivenFlags& given, const CommandHost& host) {
  RunArguments line = ReadRunArguments(given, kDefaultConfig);
  const EnvSpec spec = SettleEnv(&line);
  Training::Options options;
  options.config = line.config;
  CheckGoal(line, spec);
  PlaceService(&options.config);
  const std::string why_runner = ChooseRunner(host, &options.config);
  if (line.dry_run) {
    DryRun(options.config, spec, why_runner);
    return;
  }
  if (!why_runner.empty()) std::cout << why_runner << std::endl;
  options.resume = line.resume;
  options.duration_s = line.duration_s;
  options.where_set = [&line](const std::string& path) { return WhereSet(line, path); };
  options.out = &std::cout;
  options.style = TerminalStyle::Of(STDOUT_FILENO);
  options.style.verbose = given.Has("verbose");
  CatchInterruptions("--resume continues from the newest checkpoint of the run folder");
  const bool on_ray = options.config.run().runner() == RunConfig::RAY;
  ShowPage(host, on_ray ? TrainOnCluster(options, spec, host, Interrupted)
                        : TrainHere(options, spec, Interrupted));
}

std::vector<Flag> TrainFlags() {
  using enum FlagForm;
  std::vector<Flag> flags = {
      ConfigFlag(kDefaultConfig),
      EnvFlag("A built-in task (uses the preset of that name unless --config is given)"),
      kSetFlag,
      {.name = "runner", .path = "run.runner"},
      {.name = "run-dir",
       .form = kPath,
       .value = "DIR",
       .path = "run.dir",
       .aliases = {"checkpoint-dir", "output-dir"}},
      {.name = "resume",
       .form = kOptionalPath,
       .value = "[DIR]",
       .help =
           "Resume from the newest checkpoint of this run folder (without a value: of --run-dir)"},
      {.name = "seed", .value = "N", .path = "train.seed"},
      kNumEnvsFlag,
      {.name = "num-workers", .value = "N", .path = "scale.num_workers"},
      {.name = "num-envs-per-worker", .value = "N", .path = "scale.num_envs_per_worker"},
      EpisodesFlag(""),
      {.name = "epochs", .value = "N", .path = "train.epochs"},
      {.name = "total-steps",
       .value = "N",
       .path = "train.total_steps",
       .clears = {"train.epochs"}},
      {.name = "duration",
       .form = kDuration,
       .value = "TIME",
       .path = "train.duration_s",
       .help =
           "Also stop after this time: 30s, 5m, 2h; with --resume, after this much more time (not "
           "stored in the run)"},
      {.name = "learning-rate", .value = "X", .path = "ppo.learning_rate"},
      kDeviceFlag,
      {.name = "save-interval", .value = "N", .path = "run.save_interval"},
      {.name = "log-interval", .value = "N", .path = "run.log_interval"},
      {.name = "wandb", .form = kText, .value = "PROJECT", .path = "run.wandb"},
      {.name = "dry-run",
       .form = kSwitch,
       .help = "Print the resolved settings and what the run would need, and exit"},
      kVerboseFlag,
      kHelpFlag,
  };
  return WithTaskFlags(std::move(flags), "duration", &Task::train_flags);
}

}  // namespace

Config SteppedTrainingConfig(std::span<const std::string> arguments) {
  const GivenFlags given(TrainFlags(), *Config::descriptor(), arguments);
  if (AsksForHelp(arguments) || given.Has("dry-run") || given.Has("resume")) {
    throw UsageError("--help, --dry-run and --resume only work with the command train");
  }
  return ReadRunArguments(given, kDefaultConfig).config;
}

namespace commands {
Command train(const CommandHost& host) {
  return {.name = "train",
          .intro =
              "Trains an agent with PPO over many parallel environments.\n"
              "Settings: the YAML file, overridden by --set, overridden by the flags below.\n",
          .examples =
              "  train --config cartpole --run-dir runs/first\n"
              "  train --config cartpole --num-envs 16 --total-steps 1000000 --set ppo.gamma=0.98\n"
              "  train --resume runs/first --duration 30m\n"
              "  train --config pendulum --dry-run\n",
          .settings = Config::descriptor(),
          .flags = TrainFlags(),
          .body = [host](const GivenFlags& given) { TrainCommand(given, host); },
          .data_help = DataHelp,
          .preset = kDefaultConfig};
}
}  // namespace commands

}  // namespace dray
