#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"

namespace dray {

// rider -> embedding of 64 -> 128 tanh -> 128 tanh -> logits of the 4 types, with its gradient, on
// plain memory. Keeps what the backward pass needs; one object per thread.
class FlexibilityNet {
 public:
  FlexibilityNet(int riders, Rng& rng);

  // [n] riders -> [n, 4] logits, valid until the next call.
  std::span<const float> Forward(std::span<const int32_t> riders);

  // After Forward of the same riders: fills gradients() from gradients by the logits.
  void Backward(std::span<const int32_t> riders, std::span<const float> logit_gradients);

  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }
  std::span<const float> gradients() const { return gradients_; }

 private:
  // One dense layer within the flat parameters: weights [in, out], then biases [out].
  struct Layer {
    int64_t in;
    int64_t out;
    size_t start;

    size_t biases() const { return start + static_cast<size_t>(in * out); }
  };

  // gradients by inputs [n, in] of a layer, from those by its outputs [n, out].
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

}  // namespace dray
