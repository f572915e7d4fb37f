#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/nets/adam.h"

namespace dray {

// Whoever knows a way back may catch it.
struct GradientNotFinite : Error {
  GradientNotFinite();
};

// Adam over one flat tensor, with its gradient's norm clipped first.
class Optimizer {
 public:
  // Both [n]; at each step the gradients are read and the parameters moved in place. The team,
  // which outlives this object, is for tensors on the CPU.
  Optimizer(at::Tensor parameters, at::Tensor gradients, const PpoConfig& config,
            ThreadTeam& team = ThreadTeam::Alone());

  // One step by the present gradients; returns their norm before clipping. Gradients that are not
  // finite are a GradientNotFinite, and change nothing.
  double Step(double learning_rate);

  // The same without waiting for the device. `learning_rate` is a single number there, as is the
  // norm that is returned; where it is not finite, nothing was changed.
  at::Tensor StartStep(const at::Tensor& learning_rate);
  // Of a norm that has come back.
  static void CheckFinite(double norm);

  // All that a step reads and moves, for who takes it in another way. Not on the CPU.
  struct OnDevice {
    at::Tensor parameters, gradients;
    at::Tensor first_moment, second_moment;
    at::Tensor step;  // a single number
    AdamSettings settings;
    double max_grad_norm;
  };
  OnDevice on_device() const {
    return {parameters_, gradients_, first_moment_, second_moment_,
            step_,       settings_,  max_grad_norm_};
  }

  // The same bytes wherever the tensors live.
  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  double GradientNorm();

  at::Tensor parameters_;
  at::Tensor gradients_;
  AdamSettings settings_;
  double max_grad_norm_;
  ThreadTeam* team_;
  std::vector<double> squares_;  // of each stretch of gradients
  Adam adam_;                    // on the CPU
  // Elsewhere, for the library's own fused step.
  at::Tensor first_moment_;
  at::Tensor second_moment_;
  at::Tensor step_;  // a single number
};

}  // namespace dray
