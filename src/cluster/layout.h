#pragma once

#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"
#include "src/loop/run_plan.h"

namespace dray {

// Resources of a cluster that each actor of a run gets.
struct ClusterLayout {
  double shard_cpus = 0;
  double learner_cpus = 0;
  double learner_gpus = 0;
  double oracle_gpus = 0;  // each oracle
  int oracles = 0;

  // Returns one bundle per actor: shards, learner, oracles.
  std::vector<Cluster::Bundle> Bundles(int shards) const;
};

// Returns how the cluster divides environments: at most one shard for each CPU that can step them
// (in asynchronous mode the learner has its own), and as many shards in an actor as share a node.
Sharding ShardingOf(const Config& config, const EnvSpec& spec, const Cluster::Info& info);

// Lays out the actors of a run; an Error says what the cluster lacks and what to do.
ClusterLayout LayOut(const Config& config, const RunPlan& plan, int oracles,
                     const Cluster::Info& info);

}  // namespace dray
