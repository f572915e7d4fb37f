#pragma once

#include <c10/core/Device.h>

#include <memory>

#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

struct NeuralOracleOptions {
  int starts = 1;   // sequences per problem, of which the best counts
  int threads = 1;  // of features and insertions
};

// On the CPU by plain memory, elsewhere by LibTorch. Features are gathered on so many threads.
std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, int threads,
                                                   const at::Device& device);
std::unique_ptr<NeuralOracle> MakeNeuralOracle(const SequenceWeights& weights,
                                               const NeuralOracleOptions& options,
                                               const at::Device& device);

}  // namespace dray
