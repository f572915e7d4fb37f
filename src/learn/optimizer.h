#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/base/bytes.h"
#include "src/config/config.pb.h"

namespace dray {

// Adam (Kingma & Ba 2015) over some leaf tensors, with their gradients' joint norm clipped first.
class Optimizer {
 public:
  Optimizer(std::vector<at::Tensor> parameters, const PpoConfig& config);

  // Forgets the gradients of the last step.
  void ZeroGrad();
  // One step by the gradients that backward() left; returns their joint norm before clipping.
  at::Tensor Step(double learning_rate);

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> first_moments_;
  std::vector<at::Tensor> second_moments_;
  std::vector<at::Tensor> steps_;  // one number per parameter, as the fused kernel wants it
  double beta1_;
  double beta2_;
  double epsilon_;
  double max_grad_norm_;
};

}  // namespace dray
