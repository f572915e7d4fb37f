#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <future>
#include <vector>

#include "src/envs/dvrptw/oracle_training/training_problems.h"
#include "src/oracle/neural/sequence_insertion.h"
#include "src/oracle/neural/sequence_weights.h"
#include "src/oracle/neural/torch_sequence_net.h"

namespace dray::dvrptw {

struct SequenceTrainerOptions {
  uint64_t seed = 1;
  int fewest_requests = 1;
  int most_requests = 30;
  int batch = 256;  // problems per step, all of the same size
  int starts = 32;  // sequences drawn per problem
  // Share of the starts whose first request is given rather than chosen by the net.
  double forced_share = 0.5;
  double max_grad_norm = 1;
  int threads = 1;  // make problems and price sequences
};

struct SequenceTrainingStep {
  int requests = 0;
  double mean_cost = 0;  // mean over the drawn sequences, in ticks
  double entropy = 0;    // mean -log-probability of a pick
  // Seconds spent waiting for problems, drawing sequences, pricing them and learning from them.
  double problems_s = 0;
  double sequences_s = 0;
  double prices_s = 0;
  double learning_s = 0;
};

// Trains a sequence net by REINFORCE: sequences of a problem are drawn by the net and priced by
// exact insertion; those cheaper than the problem's mean become more probable (the shared baseline
// of POMO, Kwon et al. 2020), in units of the problem's own spread.
class SequenceTrainer {
 public:
  SequenceTrainer(const SequenceWeights& weights, const TrainingProblems& problems,
                  const SequenceTrainerOptions& options, const at::Device& device);
  ~SequenceTrainer();

  // Takes one gradient step. Problem sizes are random; large ones are more frequent.
  SequenceTrainingStep Step(double learning_rate);

  // Returns the current weights.
  SequenceWeights weights() const;
  int64_t steps() const { return steps_; }

 private:
  // Problems of one size and their features, made while the device runs the previous step.
  struct Material {
    std::vector<Problem> problems;
    RequestBatch batch;
  };

  Material MakeMaterial(int64_t step) const;
  at::Tensor DrawFirsts(int64_t problems, int64_t requests) const;
  // Returns the costs [B, starts] in ticks of sequences [B, starts, n] on the CPU.
  at::Tensor Price(const std::vector<Problem>& problems, const at::Tensor& picks);
  void Descend(double learning_rate);

  const TrainingProblems& problems_;
  SequenceTrainerOptions options_;
  SequenceWeights shape_;  // weights without values
  at::Device device_;
  at::Tensor parameters_;
  at::Tensor first_moment_;
  at::Tensor second_moment_;
  at::Tensor adam_step_;
  TorchSequenceNet net_;
  std::vector<SequenceInsertion> insertions_;  // one per thread
  std::future<Material> next_;
  int64_t steps_ = 0;
};

}  // namespace dray::dvrptw
