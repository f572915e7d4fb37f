#pragma once

#include <memory>

#include "src/config/config.pb.h"
#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

struct NeuralOracleOptions {
  int starts = 1;  // sequences per problem; the best one counts
  int threads = 1;
};

// Makes a picker: on plain memory for the CPU, with LibTorch (torch_picking.h) for other devices.
// It uses the team, which must outlive it.
std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, ThreadTeam& team,
                                                   Device device);
// Makes a neural oracle with its own thread team.
std::unique_ptr<Oracle> MakeNeuralOracle(const SequenceWeights& weights,
                                         const NeuralOracleOptions& options, Device device);

}  // namespace dray
