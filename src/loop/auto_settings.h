#pragma once

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/task.h"
#include "src/loop/env_count.h"
#include "src/loop/trials.h"

namespace dray {

// Settings that a config leaves open (auto), chosen for the machine or cluster of a run. Each
// function returns one line that says what was chosen and why; empty if there was nothing to
// choose.

// Chooses everything for a run of a task with the local runner on this machine. Returns one line
// per choice.
std::vector<std::string> Settle(const Task& task, const EnvSpec& spec, Config* config);

// Chooses what depends on a GPU for a run whose actors are spread over a cluster, on a machine that
// has one: the learner's device, and the task's service with its place. Returns one line per
// choice.
std::vector<std::string> SettleGpu(int workers, int gpus, Config* config);

// The learner's device, and why it was chosen.
struct DeviceChoice {
  at::Device device = at::kCPU;
  std::string why;
};
// Chooses the learner's device: `run.device` if set, else `scale.learner_device`, else whichever is
// faster here.
DeviceChoice LearnerDevice(const Config& config, const Trials& trials);

// Moves the service of the run's task to run.device, if that is set and the service's own setting
// is not.
void PlaceService(Config* config);
// Sets up the task's service in the way that is fastest on this machine. `workers` step shards at
// the same time.
std::string ChooseService(const Task& task, const Trials& trials, int workers, Config* config);

// Sets scale.envs_per_shard by the time of a step and `handing_s`, the time it takes to pass a
// rollout to a worker and back.
std::string ChooseShards(const EnvSpec& spec, const Trials& trials, int workers, double handing_s,
                         Config* config);

// Sets scale.envs_per_shard so that there is a shard for each worker.
void SpreadShards(int workers, Config* config);

// Costs that decide the size of shards.
struct ShardCosts {
  double step_s = 0;     // one step of one environment on one core
  double handing_s = 0;  // passing a rollout to a worker and back
};
// Returns the number of environments per shard with which a rollout of `envs` environments over
// `steps` steps is fastest on `workers` workers: small enough to keep all busy, with as few shards
// as that allows.
int QuickestShardSize(int envs, int steps, int workers, const ShardCosts& costs);

// Ways to do the same thing, in order of preference.
struct Candidates {
  std::string setting;   // "device"
  std::string activity;  // "learning from a sample"
  double unit_s;         // 1e-6
  std::string unit;      // "µs on"
  std::vector<std::string> names;
};
struct Fastest {
  size_t index = 0;
  std::string why;
};
// Times all candidates and returns the first that is within a tenth of the fastest. One whose trial
// fails is left out, with the reason in `why`; if all fail, the first is chosen.
Fastest FastestOf(const Candidates& candidates, const std::function<Timing(size_t)>& time);

}  // namespace dray
