#pragma once

#include <span>
#include <vector>

#include "src/oracle/neural/request_features.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

// Input of the decoder for one problem of n requests, in the encoder's memory.
struct EncodedRequests {
  int64_t n = 0;
  const float* nodes = nullptr;   // [n, 5 dim], as in SequenceNetLayout::nodes
  const float* graph = nullptr;   // [dim]: the query of all requests
  const float* biases = nullptr;  // [heads + 2, n, n], readable kVector beyond the end
};

// TorchSequenceNet::Encode on plain memory. Requests of several problems are rows of the same
// matrices, without padding, and a row does not depend on the others. Reuses its memory; use one
// object per thread.
class CpuEncoder {
 public:
  // The weights must outlive this object.
  explicit CpuEncoder(const SequenceWeights& weights) : weights_(weights), layout_(weights.shape) {}

  // Encodes problems of at least one request each. The result is valid until the next call.
  std::span<const EncodedRequests> Encode(std::span<const Problem* const> problems);

 private:
  struct Part {
    int64_t n = 0;
    int64_t first = 0;  // row
    size_t biases = 0;  // start of its planes [pair_outputs, n, n]
  };

  void WriteFeatures(std::span<const Problem* const> problems);
  void WriteBiases(const Part& part);
  void Attend(int layer);
  void Perceptron(int layer);
  void Finish();
  const float* At(const ParameterSlot& slot) const { return weights_.values.data() + slot.start; }
  // Computes out [rows, matrix.columns] = in [rows, matrix.rows] * matrix, plus the bias if given.
  void Multiply(int64_t rows, const float* in, const ParameterSlot& matrix,
                const ParameterSlot* bias, std::vector<float>& out) const;

  const SequenceWeights& weights_;
  SequenceNetLayout layout_;
  RequestFeatures features_;
  int64_t rows_ = 0;
  std::vector<Part> parts_;
  std::vector<EncodedRequests> encoded_;
  std::vector<float> tokens_;
  std::vector<float> pairs_;        // features of one problem, both directions
  std::vector<float> pair_hidden_;  // [pair_hidden, n n]
  std::vector<float> biases_;
  std::vector<float> x_;       // [rows, dim]
  std::vector<float> normed_;  // [rows, dim]
  std::vector<float> qkv_;     // [rows, 3 dim]
  std::vector<float> hidden_;  // [rows, hidden]
  std::vector<float> nodes_;   // [rows, 5 dim]
  std::vector<float> means_;   // [problems, dim]
  std::vector<float> graphs_;  // [problems, dim]
  std::vector<float> keys_;    // keys of one problem, transposed
  std::vector<float> mask_;
  std::vector<float> scores_;
};

}  // namespace dray
