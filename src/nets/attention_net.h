#pragma once

#include "src/nets/attention_shape.h"
#include "src/nets/net.h"

namespace dray {

// The network described by AttentionShape, in tensor operations. This is the reference
// implementation.
class AttentionNet : public Net {
 public:
  explicit AttentionNet(AttentionShape shape) : shape_(std::move(shape)) {}

  int64_t parameter_count() const override { return shape_.parameter_count; }
  at::Tensor Init(double output_gain, Rng& rng) const override;
  at::Tensor Forward(const NetInput& input, const at::Tensor& parameters) const override;
  NamedTensors Named(const at::Tensor& parameters) const override;

 private:
  AttentionShape shape_;
};

}  // namespace dray
