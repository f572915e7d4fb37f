#include "src/loop/sizing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "src/base/blocking_queue.h"
#include "src/base/error.h"
#include "src/config/scale.h"
#include "src/loop/learner_device.h"
#include "src/loop/run_plan.h"
#include "src/loop/stopwatch.h"
#include "src/loop/trial.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

constexpr int kMostEnvs = 65536;

// In asynchronous mode the learner works while shards do.
int CpusForShards(const Config& config, const Resources& resources) {
  const int cpus = std::floor(resources.cpus);
  const int learner =
      config.ppo().max_policy_lag() > 0 ? std::max(1, config.scale().learner_threads()) : 0;
  return std::max(1, cpus - learner);
}

constexpr double kEnough_s = 0.1;  // of timing
constexpr int kHandings = 21;
constexpr double kAboutAsQuick = 1.02;

}  // namespace

std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.num_envs() > 0) return "";
  const int shards =
      scale.num_workers() > 0 ? scale.num_workers() : CpusForShards(*config, resources);
  const int wanted = std::min<int64_t>(int64_t{shards} * EnvsPerShard(scale), kMostEnvs);
  scale.set_num_envs(wanted);
  const auto bytes = [&] { return MakePlan(*config, spec).estimated_ram_bytes; };
  while (resources.memory_bytes > 0 && bytes() > resources.memory_bytes / 2 &&
         scale.num_envs() > std::max(1, scale.num_workers())) {
    scale.set_num_envs(std::max({1, scale.num_workers(), scale.num_envs() / 2}));
  }
  std::string why = Cat("scale.num_envs auto: ", scale.num_envs(), ", for ", shards,
                        shards == 1 ? " shard of " : " shards of ", EnvsPerShard(scale));
  if (scale.num_envs() < wanted) {
    why += Cat(" would be ", wanted, ", more than half of ", FormatBytes(resources.memory_bytes));
  } else {
    why += Cat(scale.num_workers() > 0 ? "" : ", one per CPU that steps environments", "; about ",
               FormatBytes(bytes()));
    if (resources.memory_bytes > 0) {
      why += Cat(" of ", FormatBytes(resources.memory_bytes));
    }
  }
  return why;
}

double TimeStep(const Config& config, const EnvSpec& spec) {
  EnvShard shard = SmallShard(config, spec);
  const std::string weights = UntrainedWeights(config, spec);
  double best_s = INFINITY;
  const Stopwatch all;
  do {
    const Stopwatch watch;
    const Rollout rollout = shard.Collect(weights);
    const double steps = BatchReader(rollout.batch->view()).shape().samples();
    best_s = std::min(best_s, watch.seconds() / steps);
  } while (all.seconds() < kEnough_s);
  return best_s;
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
  while (seconds(shards) > kAboutAsQuick * best_s) ++shards;
  return size_of(shards);
}

std::string ChooseShards(const EnvSpec& spec, int workers, double handing_s, Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.envs_per_shard() > 0 || scale.num_workers() > 0) return "";
  const RunPlan plan = MakePlan(*config, spec);
  const auto trial = RunTrial([&] { return workers == 1 ? 0 : TimeStep(*config, spec); });
  // Where the trial failed, steps are taken to be slow: every worker gets a shard.
  const ShardCosts costs =
      trial.measured ? ShardCosts{*trial.measured, handing_s} : ShardCosts{1, 0};
  scale.set_envs_per_shard(QuickestShardSize(plan.num_envs, plan.rollout_steps, workers, costs));
  if (workers == 1) return "";
  const int shards = (plan.num_envs + scale.envs_per_shard() - 1) / scale.envs_per_shard();
  return Cat("scale.envs_per_shard auto: ", scale.envs_per_shard(), ", for ",
             FormatCounted(shards, "shard", "shards"), " on ",
             FormatCounted(workers, "core", "cores"),
             trial.measured
                 ? Cat("; a step takes ",
                       FormatFixed(1e6 * costs.step_s, costs.step_s < 1e-5 ? 2 : 0), " µs on one")
                 : Cat("; the trial of a step failed: ", trial.failure));
}

double TimeHandingToThread() {
  BlockingQueue<int> work, done;
  std::thread other([&] {
    while (const std::optional<int> item = work.Pop()) done.Push(*item);
  });
  std::vector<double> times;
  for (int i = 0; i < kHandings; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // by then the other one sleeps
    const Stopwatch watch;
    work.Push(i);
    times.push_back(watch.seconds());
    done.Pop();
  }
  work.Close();
  other.join();
  std::ranges::nth_element(times, times.begin() + kHandings / 2);
  return std::clamp(times[kHandings / 2], kHandingToThread_s, kHandingToActor_s);
}

int LocalWorkers(const Config& config, const Resources& resources) {
  const int cpus = CpusForShards(config, resources);
  return config.scale().threads() > 0 ? std::min(config.scale().threads(), cpus) : cpus;
}

}  // namespace dray
