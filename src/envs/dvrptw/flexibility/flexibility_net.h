#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"

namespace dray::dvrptw {

// A network from a rider to the logits of its 4 types: an embedding of 64, two tanh layers of 128
// and an output layer. Keeps what the backward pass needs; one object per thread.
class FlexibilityNet {
 public:
  FlexibilityNet(int riders, Rng& rng);

  // Returns the logits [n, 4] of n riders, valid until the next call.
  std::span<const float> Forward(std::span<const int32_t> riders);

  // Fills gradients() from the gradients by the logits, after Forward of the same riders.
  void Backward(std::span<const int32_t> riders, std::span<const float> logit_gradients);

  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }
  std::span<const float> gradients() const { return gradients_; }

 private:
  // A dense layer within the flat parameters: weights [in, out], then biases [out].
  struct Layer {
    int64_t in;
    int64_t out;
    size_t start;

    size_t biases() const { return start + in * out; }
  };

  // Computes gradients by the inputs [n, in] of a layer from those by its outputs [n, out].
  void BackThrough(const Layer& layer, int64_t n);

  std::vector<Layer> layers_;
  std::vector<float> parameters_;  // embeddings [riders, 64], then the layers
  std::vector<float> gradients_;
  std::vector<std::vector<float>> values_;  // looked-up embeddings, then every layer's outputs
  std::vector<float> by_output_;
  std::vector<float> by_input_;
  std::vector<float> transposed_;
  std::vector<float> product_;
};

}  // namespace dray::dvrptw
