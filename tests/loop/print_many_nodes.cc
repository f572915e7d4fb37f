// Prints what a training on 1 to 64 nodes would reach: bazel run //tests/loop:print_many_nodes

#include <cstdio>
#include <string>

#include "tests/loop/many_nodes.h"

namespace dray {
namespace {

constexpr int kEpochs = 50;

// As measured on 16 cores with an H200 (docs/experiments.md).
constexpr TrainingLoad kPlannedDeliveries = {.envs_per_core = 4,
                                             .rollout_steps = 30,
                                             .step_s = 1.5e-3,
                                             .sample_bytes = 400,
                                             .weight_bytes = 0.4e6,
                                             .minibatch = 512,
                                             .passes = 4,
                                             .minibatch_s = 0.11e-3};
constexpr TrainingLoad kDeliveries = {.envs_per_core = 16,
                                      .rollout_steps = 30,
                                      .step_s = 64e-6,
                                      .sample_bytes = 59,
                                      .weight_bytes = 1.6e6,
                                      .minibatch = 128,
                                      .passes = 38,
                                      .minibatch_s = 0.11e-3};
constexpr TrainingLoad kCyberDefence = {.envs_per_core = 16,
                                        .rollout_steps = 100,
                                        .step_s = 2.5e-6,
                                        .sample_bytes = 469,
                                        .weight_bytes = 0.1e6,
                                        .minibatch = 2048,
                                        .passes = 8,
                                        .minibatch_s = 0.06e-3};

void Print(const char* name, const TrainingLoad& load, const ClusterCosts& costs) {
  std::printf("\n%s\n\n", name);
  std::printf(
      "| nodes | actors per node | learners | epoch, s | samples/s | driver | learner | its "
      "network | cores |\n");
  std::printf("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const int nodes : {1, 4, 16, 64}) {
    for (const auto& [actors, learners] : {std::pair(16, 1), {1, 1}, {1, 4}, {1, 16}}) {
      if (learners > nodes) continue;
      const SimulatedTraining run = SimulateTraining(
          load, costs, {.nodes = nodes, .actors_per_node = actors, .learners = learners}, kEpochs);
      std::printf("| %d | %d | %d | %.3f | %.0f | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", nodes,
                  actors, learners, run.epoch_s, run.samples_per_s, 100 * run.driver,
                  100 * run.learner, 100 * run.network, 100 * run.cores);
    }
  }
}

}  // namespace
}  // namespace dray

int main() {
  const dray::ClusterCosts costs;
  dray::Print("Deliveries with simulated futures (dvrptw_best on each node)",
              dray::kPlannedDeliveries, costs);
  dray::Print("Deliveries (dvrptw_256 on each node)", dray::kDeliveries, costs);
  dray::Print("Cyber defence (cage2_mixture_gpu on each node)", dray::kCyberDefence, costs);
}
