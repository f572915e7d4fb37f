#include "src/loop/auto_settings.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/config/scale.h"
#include "src/env/registry.h"
#include "src/nets/device.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr double kAboutAsFast = 1.1;  // candidates
constexpr double kAboutAsFastShards = 1.02;

// Number of workers that step shards at the same time with the local runner.
int LocalWorkers(const Config& config) {
  const int cpus = CpusForShards(config, ThisMachine());
  return config.scale().threads() > 0 ? std::min(config.scale().threads(), cpus) : cpus;
}

// Stores the choice with the run, which then stays there.
std::string ChooseLearnerDevice(const Trials& trials, Config* config) {
  const DeviceChoice learner = LearnerDevice(*config, trials);
  if (learner.why.empty()) return "";
  config->mutable_scale()->set_learner_device(learner.device.is_cuda()  ? CUDA
                                              : learner.device.is_mps() ? MPS
                                                                        : CPU);
  return learner.why;
}

}  // namespace

std::vector<std::string> SettleGpu(int workers, int gpus, Config* config) {
  const Task& task = TaskOf(config->env());
  const EnvSpec spec = SpecOf(config->env());
  const Trials trials(*config, spec);
  std::vector<std::string> chosen = {ChooseLearnerDevice(trials, config),
                                     ChooseService(task, trials, workers, config)};
  if (task.service) {
    const int of_learner = LearnerDeviceOf(*config) == CPU ? 0 : 1;
    task.service->place_on_cluster(gpus - of_learner, config->mutable_env());
  }
  std::erase(chosen, "");
  return chosen;
}

std::vector<std::string> Settle(const Task& task, const EnvSpec& spec, Config* config) {
  std::vector<std::string> chosen = {ChooseNumEnvs(spec, ThisMachine(), config)};
  const Trials trials(*config, spec);
  chosen.push_back(ChooseLearnerDevice(trials, config));
  const int workers = LocalWorkers(*config);
  chosen.push_back(ChooseService(task, trials, workers, config));
  chosen.push_back(ChooseShards(spec, trials, workers, TimeHandingToThread(), config));
  std::erase(chosen, "");
  return chosen;
}

Fastest FastestOf(const Candidates& candidates, const std::function<Timing(size_t)>& time) {
  const std::vector<std::string>& names = candidates.names;
  std::vector<double> times;
  std::string measured, failures;
  for (size_t i = 0; i < names.size(); ++i) {
    const Timing timing = time(i);
    times.push_back(timing.seconds);
    if (timing.succeeded()) {
      measured += measured.empty() ? "; " + candidates.activity + " takes " : ", ";
      measured += FormatSignificant(timing.seconds / candidates.unit_s, 3);
      measured += " " + candidates.unit + " " + names[i];
    } else {
      failures += "; the trial of " + names[i] + " failed: " + timing.failure;
    }
  }
  const double limit_s = kAboutAsFast * std::ranges::min(times);
  const size_t first =
      std::ranges::find_if(times, [&](double s) { return s <= limit_s; }) - times.begin();
  return {first, candidates.setting + " auto: " + names.at(first) + measured + failures};
}

DeviceChoice LearnerDevice(const Config& config, const Trials& trials) {
  const Device wanted = LearnerDeviceOf(config);
  const at::Device device = ChooseDevice(wanted);
  if (wanted != AUTO || device.is_cpu()) return {.device = device, .why = ""};
  const std::vector<at::Device> devices = {at::kCPU, device};
  const Fastest fastest = FastestOf({.setting = "device",
                                     .activity = "learning from a sample",
                                     .unit_s = 1e-6,
                                     .unit = "µs on",
                                     .names = {DeviceName(at::kCPU), DeviceName(device)}},
                                    [&](size_t i) { return trials.Learning(devices[i]); });
  return {devices[fastest.index], fastest.why};
}

void PlaceService(Config* config) {
  const Task& task = TaskOf(config->env());
  if (!task.service || config->run().device() == AUTO) return;
  task.service->place(config->run().device(), config->mutable_env());
}

std::string ChooseService(const Task& task, const Trials& trials, int workers, Config* config) {
  if (!task.service) return "";
  const std::vector<ServiceCandidate> setups = task.service->candidates(config->env());
  if (setups.size() == 1) return "";
  Candidates candidates{.setting = std::string(task.service->name),
                        .activity = Cat(task.service->activity, " a step of all environments"),
                        .unit_s = 1e-3,
                        .unit = "ms by",
                        .names = {}};
  for (const ServiceCandidate& setup : setups) candidates.names.push_back(setup.name);
  const Fastest fastest =
      FastestOf(candidates, [&](size_t i) { return trials.Service(setups[i].settings, workers); });
  *config->mutable_env() = setups[fastest.index].settings;
  return fastest.why;
}

std::string ChooseShards(const EnvSpec& spec, const Trials& trials, int workers, double handing_s,
                         Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.envs_per_shard() > 0 || scale.num_workers() > 0) return "";
  const int envs = scale.num_envs();
  if (workers == 1) {
    scale.set_envs_per_shard(envs);
    return "";
  }
  const Timing step = trials.Step();
  // Where the trial failed, steps are taken to be slow: every worker gets a shard.
  const ShardCosts costs =
      step.succeeded() ? ShardCosts{step.seconds, handing_s} : ShardCosts{1, 0};
  const int steps = spec.RolloutSteps(config->train().rollout_steps());
  scale.set_envs_per_shard(QuickestShardSize(envs, steps, workers, costs));
  const int shards = (envs + scale.envs_per_shard() - 1) / scale.envs_per_shard();
  return Cat("scale.envs_per_shard auto: ", scale.envs_per_shard(), ", for ",
             FormatCounted(shards, "shard"), " on ", FormatCounted(workers, "core"),
             step.succeeded()
                 ? Cat("; a step takes ",
                       FormatFixed(1e6 * step.seconds, step.seconds < 1e-5 ? 2 : 0), " µs on one")
                 : Cat("; the trial of a step failed: ", step.failure));
}

void SpreadShards(int workers, Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.envs_per_shard() > 0 || scale.num_workers() > 0) return;
  scale.set_envs_per_shard((scale.num_envs() + workers - 1) / workers);
}

int QuickestShardSize(int envs, int steps, int workers, const ShardCosts& costs) {
  const auto size_of = [&](int shards) { return (envs + shards - 1) / shards; };
  // A worker's rollout is as long as its environments' steps; handing out takes turns.
  const auto seconds = [&](int shards) {
    const int turns = (shards + workers - 1) / workers;
    return turns * size_of(shards) * steps * costs.step_s +
           (shards > 1 ? shards * costs.handing_s : 0);
  };
  double best_s = INFINITY;
  for (int shards = 1; shards <= envs; ++shards) best_s = std::min(best_s, seconds(shards));
  int shards = 1;
  while (seconds(shards) > kAboutAsFastShards * best_s) ++shards;
  return size_of(shards);
}

}  // namespace dray
