#pragma once

#include <deque>
#include <memory>

#include "src/oracle/neural/cpu_decoder.h"
#include "src/oracle/neural/cpu_encoder.h"
#include "src/oracle/neural/sequence_picker.h"

namespace dray {

// Picks sequences on plain memory, without LibTorch. Results are the same, bit for bit, for any
// batch and any number of threads.
class CpuSequencePicker : public SequencePicker {
 public:
  CpuSequencePicker(SequenceWeights weights, int threads);

  void Begin(std::span<const Problem* const> problems, int starts) override;
  std::vector<Sequences> Take() override;
  std::string device() const override { return "cpu"; }

 private:
  struct Worker {
    explicit Worker(const SequenceWeights& weights) : encoder(weights), decoder(weights) {}
    CpuEncoder encoder;
    CpuDecoder decoder;
  };

  SequenceWeights weights_;
  std::vector<std::unique_ptr<Worker>> workers_;  // one per thread
  std::deque<std::vector<Sequences>> picked_;     // not taken yet
};

}  // namespace dray
