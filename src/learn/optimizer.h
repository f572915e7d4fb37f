#pragma once

#include <ATen/core/Tensor.h>

#include "src/base/bytes.h"
#include "src/config/config.pb.h"

namespace dray {

// Adam (Kingma & Ba 2015) over one flat tensor, with its gradient's norm clipped first.
class Optimizer {
 public:
  // Both [n], and read and written in place at each step.
  Optimizer(at::Tensor parameters, at::Tensor gradients, const PpoConfig& config);

  // One step by the present gradients; returns their norm before clipping. Gradients that are not
  // finite are an Error, and change nothing.
  double Step(double learning_rate);

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  at::Tensor parameters_;
  at::Tensor gradients_;
  at::Tensor first_moment_;
  at::Tensor second_moment_;
  at::Tensor step_;  // a single number, as the fused kernel wants it
  double beta1_;
  double beta2_;
  double epsilon_;
  double max_grad_norm_;
};

}  // namespace dray
