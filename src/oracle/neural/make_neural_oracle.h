#pragma once

#include <memory>

#include "src/config/config.pb.h"
#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

struct NeuralOracleOptions {
  int starts = 1;  // sequences per problem, of which the best counts
  int threads = 1;
};

// On the CPU by plain memory, elsewhere by LibTorch (torch_picking.h). The team, which outlives it,
// works for it.
std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, ThreadTeam& team,
                                                   Device device);
// With a team of its own.
std::unique_ptr<Oracle> MakeNeuralOracle(const SequenceWeights& weights,
                                         const NeuralOracleOptions& options, Device device);

}  // namespace dray
