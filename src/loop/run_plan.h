#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// What a config means in numbers, for one environment: a pure function of the two.
struct RunPlan {
  int num_envs = 0;
  std::vector<int> shard_sizes;   // environments per shard; they differ by one at most
  int rollout_steps = 0;          // steps per environment and epoch
  int64_t samples_per_epoch = 0;  // num_envs * rollout_steps
  int64_t epochs = 0;             // 0: not known beforehand; episodes or the clock end the run
  int64_t most_epochs = 0;        // when epochs is 0: as many as the episodes can give; 0: no bound
  int64_t updates = 0;            // 0 when epochs is

  int64_t samples_per_update = 0;
  int64_t minibatches = 0;  // of one pass over a batch
  int64_t policy_steps_per_update = 0;
  int64_t value_steps_per_update = 0;

  int64_t parameters = 0;             // of actor and critic together
  int64_t rollout_bytes = 0;          // of one epoch
  int64_t estimated_ram_bytes = 0;    // of the driver under the local runner, roughly
  std::vector<std::string> warnings;  // allowed, but perhaps not meant
};

// An Error when nothing would ever stop the run. With `most_shards`, there are no more shards than
// that unless the config names their number.
RunPlan MakePlan(const Config& config, const EnvSpec& spec, int most_shards = 0);

// Of actor and critic together.
int64_t Parameters(const Config& config, const EnvSpec& spec);
// Why a learner of these networks does not fit into so much memory; empty: it does. On a GPU, most
// of it lies there.
std::string WhyNetworkDoesNotFit(int64_t parameters, bool on_gpu, int64_t free_bytes);

// The plan for a person to read before a run, with units.
std::string PreflightText(const RunPlan& plan, const Config& config, const EnvSpec& spec);

}  // namespace dray
