#pragma once

#include <ATen/core/Tensor.h>

#include "src/nets/gru_shape.h"
#include "src/nets/mlp.h"
#include "src/nets/net.h"

namespace dray {

// An actor with memory. The rows of its input are whole sequences, one after the other
// (NetInput::sequence): the memory that is stored with a sequence's first row is where it starts,
// later rows go on with what was computed for the row before, unless an episode begins.
class Gru : public Net {
 public:
  explicit Gru(GruShape shape) : shape_(std::move(shape)), head_(shape_.head, shape_.activation) {}

  int64_t parameter_count() const override { return shape_.parameter_count(); }
  at::Tensor Init(double output_gain, Rng& rng) const override;
  at::Tensor Forward(const NetInput& input, const at::Tensor& parameters) const override;
  NamedTensors Named(const at::Tensor& parameters) const override;

 private:
  GruShape shape_;
  Mlp head_;
};

}  // namespace dray
