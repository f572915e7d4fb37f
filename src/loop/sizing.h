#pragma once

#include <cstdint>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// What there is to share out: a machine, or a whole cluster.
struct Resources {
  double cpus = 1;
  int64_t memory_bytes = 0;  // 0: not known
};

// Sets scale.num_envs when the config leaves it to us (auto): envs_per_shard environments for each
// CPU that steps them, halved until the run takes at most half the memory. Returns one line that
// says what was chosen and why; empty when there was nothing to choose.
std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config);

// What decides how environments are cut into shards.
struct ShardCosts {
  double step_s = 0;     // of one environment, on one core
  double handing_s = 0;  // a rollout to a worker and back
};

// What a step takes here, by a short rollout.
double TimeStep(const Config& config, const EnvSpec& spec);

// How many environments a shard gets so that a rollout of `envs` over `steps` steps is quickest on
// so many workers: few enough that all are busy, and no more shards than that takes.
int QuickestShardSize(int envs, int steps, int workers, const ShardCosts& costs);

// Sets scale.envs_per_shard when the config leaves it to us (auto), by what a step takes. `workers`
// step shards at the same time. Returns one line that says what was chosen and why; empty when
// there was nothing to choose.
std::string ChooseShards(const EnvSpec& spec, int workers, double handing_s, Config* config);

// Workers that step shards at the same time under the local runner.
int LocalWorkers(const Config& config, const Resources& resources);
// What handing a rollout to a thread of this process and back takes at least, and to an actor.
inline constexpr double kHandingToThread_s = 30e-6, kHandingToActor_s = 2e-3;
// What it takes here to hand it to a thread that sleeps: more on virtual machines.
double TimeHandingToThread();

}  // namespace dray
