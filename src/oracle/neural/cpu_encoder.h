#pragma once

#include <span>
#include <vector>

#include "src/oracle/neural/request_features.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

// What the decoder reads about one problem of n requests, in the encoder's memory.
struct EncodedRequests {
  int64_t n = 0;
  const float* nodes = nullptr;   // [n, 5 dim], as SequenceNetLayout::nodes has it
  const float* graph = nullptr;   // [dim]: the query of all requests
  const float* biases = nullptr;  // [heads + 2, n, n], readable kVector beyond the end
};

// TorchSequenceNet::Encode on plain memory. Requests of several problems are rows of the same
// matrices, without padding, and a row's numbers do not depend on the others. Keeps its memory; one
// object per thread.
class CpuEncoder {
 public:
  // The weights must outlive this.
  explicit CpuEncoder(const SequenceWeights& weights) : weights_(weights), layout_(weights.shape) {}

  // Valid until the next call. Problems have at least one request.
  std::span<const EncodedRequests> Encode(std::span<const Problem* const> problems);

 private:
  struct Part {
    int64_t n = 0;
    int64_t first = 0;  // row
    size_t biases = 0;  // where its planes [pair_outputs, n, n] begin
  };

  void WriteFeatures(std::span<const Problem* const> problems);
  void WriteBiases(const Part& part);
  void Attend(int layer);
  void Perceptron(int layer);
  void Finish();
  const float* At(const ParameterSlot& slot) const { return weights_.values.data() + slot.start; }
  // out [rows, slot.columns] = in [rows, slot.rows] times the matrix, plus the bias if there is
  // one.
  void Multiply(int64_t rows, const float* in, const ParameterSlot& matrix,
                const ParameterSlot* bias, std::vector<float>& out) const;

  const SequenceWeights& weights_;
  SequenceNetLayout layout_;
  RequestFeatures features_;
  int64_t rows_ = 0;
  std::vector<Part> parts_;
  std::vector<EncodedRequests> encoded_;
  std::vector<float> tokens_;
  std::vector<float> pairs_;        // of one problem, both directions
  std::vector<float> pair_hidden_;  // [pair_hidden, n n]
  std::vector<float> biases_;
  std::vector<float> x_;       // [rows, dim]
  std::vector<float> normed_;  // [rows, dim]
  std::vector<float> qkv_;     // [rows, 3 dim]
  std::vector<float> hidden_;  // [rows, hidden]
  std::vector<float> nodes_;   // [rows, 5 dim]
  std::vector<float> means_;   // [problems, dim]
  std::vector<float> graphs_;  // [problems, dim]
  std::vector<float> keys_;    // of one problem, transposed
  std::vector<float> mask_;
  std::vector<float> scores_;
};

}  // namespace dray
