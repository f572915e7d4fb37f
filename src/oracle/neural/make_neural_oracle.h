#pragma once

#include <c10/core/Device.h>

#include <memory>

#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

struct NeuralOracleOptions {
  int starts = 1;  // sequences per problem, of which the best counts
  int threads = 1;
};

// On the CPU by plain memory, elsewhere by LibTorch. The team, which outlives it, works for it.
std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, ThreadTeam& team,
                                                   const at::Device& device);
// With a team of its own.
std::unique_ptr<Oracle> MakeNeuralOracle(const SequenceWeights& weights,
                                         const NeuralOracleOptions& options,
                                         const at::Device& device);

}  // namespace dray
