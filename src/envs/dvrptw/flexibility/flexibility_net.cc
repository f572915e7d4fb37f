#include "src/envs/dvrptw/flexibility/flexibility_net.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/envs/dvrptw/riders.h"
#include "src/nets/kernels.h"

namespace dray::dvrptw {
namespace {

constexpr int64_t kEmbedding = 64;
constexpr int64_t kHidden = 128;
constexpr int64_t kSizes[] = {kEmbedding, kHidden, kHidden, kFlexibilityTypes};
// The last layer starts small, so that every type starts about as likely.
constexpr double kOutputGain = 0.01;

}  // namespace

FlexibilityNet::FlexibilityNet(int riders, Rng& rng) {
  size_t start = riders * kEmbedding;
  for (size_t i = 0; i + 1 < std::size(kSizes); ++i) {
    layers_.push_back({.in = kSizes[i], .out = kSizes[i + 1], .start = start});
    start = layers_.back().biases() + kSizes[i + 1];
  }
  parameters_.assign(start, 0.0f);
  gradients_.assign(start, 0.0f);
  values_.resize(layers_.size() + 1);
  for (size_t i = 0; i < layers_[0].start; ++i) parameters_[i] = rng.Normal();
  for (const Layer& layer : layers_) {
    const bool last = layer.out == kFlexibilityTypes;
    const double gain = (last ? kOutputGain : 1.0) / std::sqrt(static_cast<double>(layer.in));
    for (size_t i = layer.start; i < layer.biases(); ++i) {
      parameters_[i] = gain * rng.Normal();
    }
  }
}

std::span<const float> FlexibilityNet::Forward(std::span<const int32_t> riders) {
  const auto n = std::ssize(riders);
  values_[0].resize(riders.size() * kEmbedding);
  float* row = values_[0].data();
  for (const int32_t rider : riders) {
    row = std::copy_n(parameters_.data() + rider * kEmbedding, kEmbedding, row);
  }
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    std::vector<float>& to = values_[i + 1];
    to.resize(n * layer.out);
    for (int64_t k = 0; k < n; ++k) {
      std::copy_n(parameters_.data() + layer.biases(), layer.out, to.data() + k * layer.out);
    }
    AddProduct(n, layer.out, layer.in, {values_[i].data(), layer.in, 1},
               parameters_.data() + layer.start, to.data());
    if (i + 1 < layers_.size()) Tanh(to);
  }
  return values_.back();
}

// Few riders meet many weights: what is transposed here is the gradients, not the weights.
void FlexibilityNet::BackThrough(const Layer& layer, int64_t n) {
  const size_t size = n * layer.in;
  transposed_.resize(by_output_.size());
  Transpose(n, layer.out, by_output_.data(), transposed_.data());
  product_.assign(size, 0.0f);
  AddProduct(layer.in, n, layer.out, {parameters_.data() + layer.start, layer.out, 1},
             transposed_.data(), product_.data());
  by_input_.resize(size);
  Transpose(layer.in, n, product_.data(), by_input_.data());
}

void FlexibilityNet::Backward(std::span<const int32_t> riders,
                              std::span<const float> logit_gradients) {
  const auto n = std::ssize(riders);
  DRAY_CHECK_EQ(logit_gradients.size(), values_.back().size());
  std::ranges::fill(gradients_, 0.0f);
  by_output_.assign(logit_gradients.begin(), logit_gradients.end());
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    SumRows(by_output_, std::span(gradients_).subspan(layer.biases(), layer.out));
    // The inputs, seen as their transpose, times the gradients.
    AddProduct(layer.in, layer.out, n, {values_[i].data(), 1, layer.in}, by_output_.data(),
               gradients_.data() + layer.start);
    BackThrough(layer, n);
    if (i > 0) TanhGradient(values_[i], by_input_);
    by_output_.swap(by_input_);
  }
  const float* row = by_output_.data();
  for (const int32_t rider : riders) {
    float* to = gradients_.data() + rider * kEmbedding;
    for (int64_t i = 0; i < kEmbedding; ++i) to[i] += *row++;
  }
}

}  // namespace dray::dvrptw
