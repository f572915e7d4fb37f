#pragma once

#include <ATen/core/Tensor.h>

#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/neural/sequence_weights.h"
#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

// The features of problems as one padded batch on a device, gathered on so many threads. `padded`
// is at least the largest problem's number of requests.
RequestBatch MakeRequestBatch(std::span<const Problem* const> problems, int padded, int threads,
                              const at::Device& device);

// Picks by TorchSequenceNet: everything from the features to the sequences happens on the device. A
// device that runs out of memory is OutOfMemory.
class TorchSequencePicker : public SequencePicker {
 public:
  TorchSequencePicker(const SequenceWeights& weights, const at::Device& device, int threads);

  std::vector<Sequences> Pick(std::span<const Problem* const> problems, int starts) override;
  std::string device() const override;

 private:
  at::Tensor Noise(int starts, int padded);

  at::Device device_;
  int threads_;
  TorchSequenceNet net_;
  at::Tensor noise_;  // of the last call
};

}  // namespace dray
