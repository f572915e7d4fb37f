#pragma once

#include <vector>

#include "src/oracle/neural/cpu_encoder.h"
#include "src/oracle/neural/sequence_picker.h"

namespace dray {

// TorchSequenceNet::MultiStart on plain memory, for one problem at a time. Reuses its memory; use
// one object per thread.
class CpuDecoder {
 public:
  // The weights must outlive this object.
  explicit CpuDecoder(const SequenceWeights& weights) : weights_(weights), layout_(weights.shape) {}

  Sequences Pick(const EncodedRequests& requests, int starts);

 private:
  void Load(const EncodedRequests& requests);
  // Resets to no request picked.
  void Restart();
  // Computes the scores of the next pick, before clipping, into scores_.
  void Score();
  void Take(int64_t request);
  // Picks at random by the net's probabilities, with the noise of that start.
  int64_t Draw(int start, int64_t pick);

  const SequenceWeights& weights_;
  SequenceNetLayout layout_;
  EncodedRequests requests_;
  int64_t padded_ = 0;
  int64_t picked_ = 0;
  int64_t last_ = -1;
  std::vector<float> keys_;         // [dim, padded], for glimpses
  std::vector<float> choice_keys_;  // [dim, padded]
  std::vector<float> mask_;
  std::vector<float> sums_;   // [padded]: biases summed over the picked
  std::vector<float> total_;  // [dim]: queries summed over the picked
  std::vector<float> query_;
  std::vector<float> glimpse_;
  std::vector<float> room_;    // scratch space for a row of attention
  std::vector<float> scores_;  // [padded]
  std::vector<float> noise_;
};

}  // namespace dray
