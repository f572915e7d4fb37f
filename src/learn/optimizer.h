#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/nets/adam.h"

namespace dray {

// Thrown when a gradient is not finite; a learner that can restore a good policy catches it.
struct GradientNotFinite : Error {
  GradientNotFinite();
};

// Adam over one flat tensor, after clipping the gradient's norm.
class Optimizer {
 public:
  // Moments of the gradients and the number of steps taken.
  struct State {
    Adam adam;  // used on the CPU
    // Used by the library's fused step on other devices.
    at::Tensor first_moment = {};
    at::Tensor second_moment = {};
    at::Tensor step = {};  // single number
  };

  // Parameters and gradients are [n]; each step reads the gradients and moves the parameters in
  // place. The team, which must outlive this object, works on tensors on the CPU.
  Optimizer(at::Tensor parameters, at::Tensor gradients, const PpoConfig& config,
            ThreadTeam& team = ThreadTeam::Alone());

  // Takes a step by the current gradients and returns their norm before clipping. If they are not
  // finite, throws GradientNotFinite and changes nothing.
  double Step(double learning_rate);

  // Takes a step without waiting for the device. The learning rate and the returned norm are single
  // numbers there; if the norm is not finite, nothing was changed.
  at::Tensor StartStep(const at::Tensor& learning_rate);
  // Throws GradientNotFinite unless the norm is finite.
  static void CheckFinite(double norm);

  // Everything a step reads and changes, for FusedStep, which takes it by other kernels.
  struct OnDevice {
    at::Tensor parameters, gradients;
    State state;
    AdamSettings settings;
    double max_grad_norm;
  };
  OnDevice on_device() const {
    return {parameters_, gradients_, state_, settings_, max_grad_norm_};
  }

  // Writes the same bytes on every device.
  void Save(ByteWriter& out) const;
  // Reads what Save wrote, without changing this object.
  State Read(ByteReader& in) const;
  void Restore(State state);

 private:
  double GradientNorm();

  at::Tensor parameters_;
  at::Tensor gradients_;
  AdamSettings settings_;
  double max_grad_norm_;
  ThreadTeam* team_;
  std::vector<double> squares_;  // partial sums of squared gradients
  State state_;
};

}  // namespace dray
