#pragma once

#include <cstdint>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Resources of a machine or of a whole cluster.
struct Resources {
  double cpus = 1;
  int64_t memory_bytes = 0;  // 0: unknown
};

// Sets scale.num_envs if the config leaves it open (auto): envs_per_shard environments for each CPU
// that steps them, halved until the run takes at most half the memory. Returns one line that says
// what was chosen and why; empty if there was nothing to choose.
std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config);

// Costs that decide the size of shards.
struct ShardCosts {
  double step_s = 0;     // one step of one environment on one core
  double handing_s = 0;  // passing a rollout to a worker and back
};

// Measures the time of a step with a short rollout.
double TimeStep(const Config& config, const EnvSpec& spec);

// Returns the number of environments per shard with which a rollout of `envs` environments over
// `steps` steps is fastest on `workers` workers: small enough to keep all busy, with as few shards
// as that allows.
int QuickestShardSize(int envs, int steps, int workers, const ShardCosts& costs);

// Sets scale.envs_per_shard if the config leaves it open (auto), by the measured time of a step.
// `workers` step shards at the same time. Returns one line that says what was chosen and why; empty
// if there was nothing to choose.
std::string ChooseShards(const EnvSpec& spec, int workers, double handing_s, Config* config);

// Number of workers that step shards at the same time with the local runner.
int LocalWorkers(const Config& config, const Resources& resources);
// Minimum time to pass a rollout to a thread of this process and back, and to an actor.
inline constexpr double kHandingToThread_s = 30e-6, kHandingToActor_s = 2e-3;
// Measures the time to wake a sleeping thread with a rollout, which is longer on virtual machines.
double TimeHandingToThread();

}  // namespace dray
