#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Numbers that follow from a config and an environment.
struct RunPlan {
  int num_envs = 0;
  std::vector<int> shard_sizes;   // environments per shard; they differ by one at most
  int shards_per_actor = 1;       // shards that an actor of a cluster hosts, each on its own thread
  int rollout_steps = 0;          // steps per environment and epoch
  int sequence_steps = 1;         // steps that are learned from as a whole
  int64_t samples_per_epoch = 0;  // num_envs * rollout_steps
  int64_t epochs = 0;             // 0: not known beforehand; episodes or time end the run
  int64_t most_epochs = 0;        // if epochs is 0: upper bound by the episodes; 0: no bound
  int64_t updates = 0;            // 0 if epochs is

  int64_t samples_per_update = 0;
  int64_t minibatches = 0;  // number per pass over a batch
  int64_t policy_steps_per_update = 0;
  int64_t value_steps_per_update = 0;

  int64_t parameters = 0;             // actor and critic together
  int64_t rollout_bytes = 0;          // size of one epoch
  int64_t estimated_ram_bytes = 0;    // rough size of the driver with the local runner
  int64_t estimated_gpu_bytes = 0;    // rough size of a learner on a GPU, with CUDA itself
  std::vector<std::string> warnings;  // allowed settings that may be mistakes

  // Number of actors that host the shards of a cluster. Actor i hosts `shards_per_actor` shards
  // from FirstShard(i), the last one what is left.
  int actors() const { return (shards() + shards_per_actor - 1) / shards_per_actor; }
  int shards() const { return std::ssize(shard_sizes); }
  int FirstShard(int actor) const { return std::min(actor * shards_per_actor, shards()); }
};

// How a cluster divides environments, unless the config says.
struct Sharding {
  int most_shards = 0;  // 0: no limit
  int shards_per_actor = 1;
};

// Makes the plan; an Error if nothing would ever end the run.
RunPlan MakePlan(const Config& config, const EnvSpec& spec, const Sharding& sharding = {});

// Explains why a learner with this many parameters does not fit into `free_bytes`; empty: it fits.
// On a GPU, most of it is stored there.
std::string WhyNetworkDoesNotFit(int64_t parameters, bool on_gpu, int64_t free_bytes);

// Returns the plan as text for a person, with units.
std::string PreflightText(const RunPlan& plan, const Config& config, const EnvSpec& spec);

}  // namespace dray
