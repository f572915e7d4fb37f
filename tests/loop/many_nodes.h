#pragma once

namespace dray {

// A synchronous training on a simulated cluster, directed by the real Coordinator: where do driver,
// learner and network saturate? Nothing is computed or sent; times are added up in events.

// A training on one node, as measured.
struct TrainingLoad {
  int envs_per_core = 16;
  int rollout_steps = 30;
  double step_s = 64e-6;          // one environment on one core
  double sample_bytes = 4 * 300;  // in a batch
  double weight_bytes = 1.6e6;    // as published
  int minibatch = 128;
  int passes = 4;                // over every sample
  double minibatch_s = 0.11e-3;  // one gradient step
};

// The cluster: calls and the store as scripts/bench/transport.py measures them on two cores.
struct ClusterCosts {
  double call_s = 240e-6;               // work of the driver for a call
  double answer_s = 40e-6;              // work of the driver for an answer
  double way_s = 100e-6;                // from the driver to an actor or back, and between actors
  double store_bytes_per_s = 2.4e9;     // into the object store of a node or out of it
  double network_bytes_per_s = 1.25e9;  // of each node
};

struct ClusterShape {
  int nodes = 1;
  int cores_per_node = 16;
  int actors_per_node = 16;  // that host the shards, one per core; a divisor of cores_per_node
  int learners = 1;  // that divide the samples and average gradients in each step, one per node
};

struct SimulatedTraining {
  double epoch_s = 0;
  double samples_per_s = 0;
  // Shares of the time in which each is at work.
  double driver = 0, learner = 0, network = 0, cores = 0;
};

// Simulates this many epochs and returns averages.
SimulatedTraining SimulateTraining(const TrainingLoad& load, const ClusterCosts& costs,
                                   const ClusterShape& shape, int epochs);

}  // namespace dray
