#pragma once

#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"
#include "src/loop/run_plan.h"

namespace dray {

// What each actor of a run is given of a cluster.
struct ClusterLayout {
  double shard_cpus = 0;
  double learner_cpus = 0;
  double learner_gpus = 0;
  double oracle_gpus = 0;  // of each
  int oracles = 0;

  // By actor: shards, learner, oracles.
  std::vector<Cluster::Bundle> Bundles(int shards) const;
};

// As many shards as there are CPUs to step them: in asynchronous mode the learner has its own.
int MostShards(const Config& config, const Cluster::Info& info);

// An Error says what the cluster lacks for this run, and what to do.
ClusterLayout LayOut(const Config& config, const RunPlan& plan, int oracles,
                     const Cluster::Info& info);

}  // namespace dray
