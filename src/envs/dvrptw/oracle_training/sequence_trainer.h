#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <future>
#include <vector>

#include "src/envs/dvrptw/oracle_training/training_problems.h"
#include "src/oracle/neural/sequence_insertion.h"
#include "src/oracle/neural/sequence_weights.h"
#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

struct SequenceTrainerOptions {
  uint64_t seed = 1;
  int fewest_requests = 1;
  int most_requests = 30;
  int batch = 256;  // problems of a step, all of one size
  int starts = 32;  // sequences drawn of each
  // Of the starts, those that begin with a request of their own rather than one that the net
  // chose.
  double forced_share = 0.5;
  double max_grad_norm = 1;
  int threads = 1;  // that make problems and price sequences
};

struct SequenceTrainingStep {
  int requests = 0;
  double mean_cost = 0;  // of the sequences drawn, in ticks
  double entropy = 0;    // -log-probability by pick, mean
  // Where the time went: waiting for problems, drawing sequences, pricing them, learning from them.
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

  // One gradient step. Sizes are drawn up to the largest, large ones more often.
  SequenceTrainingStep Step(double learning_rate);

  // The present numbers.
  SequenceWeights weights() const;
  int64_t steps() const { return steps_; }

 private:
  // Problems of one size and their features, made while the device is busy with the step before.
  struct Material {
    std::vector<Problem> problems;
    RequestBatch batch;
  };

  Material MakeMaterial(int64_t step) const;
  at::Tensor DrawFirsts(int64_t problems, int64_t requests) const;
  // [B, starts] in ticks, of sequences [B, starts, n] on the CPU.
  at::Tensor Price(const std::vector<Problem>& problems, const at::Tensor& picks);
  void Descend(double learning_rate);

  const TrainingProblems& problems_;
  SequenceTrainerOptions options_;
  SequenceWeights shape_;  // and what else is not numbers
  at::Device device_;
  at::Tensor parameters_;
  at::Tensor first_moment_;
  at::Tensor second_moment_;
  at::Tensor adam_step_;
  TorchSequenceNet net_;
  std::vector<SequenceInsertion> insertions_;  // by thread
  std::future<Material> next_;
  int64_t steps_ = 0;
};

}  // namespace dray
