#pragma once

#include <cstdint>
#include <span>

#include "src/learn/gradients.h"
#include "src/learn/optimizer.h"

namespace dray {

// Which networks a step trains.
enum class Part { kPolicyAndValue, kPolicy, kValue };

struct StepSettings {
  LossSettings loss;
  double value_scale = 1;  // of the value loss; 0: none
  double learning_rate = 0;
};

// What steps came to, summed, but for the largest ratio error.
struct StepSums {
  PolicyStats policy;
  double value_loss = 0;
  double grad_norm = 0;

  StepSums& operator+=(const StepSums& other) {
    policy += other.policy;
    value_loss += other.value_loss;
    grad_norm += other.grad_norm;
    return *this;
  }
};

// Takes an update's optimiser steps, one per minibatch. HostSteps waits for each; DeviceSteps hands
// them to a GPU and waits when the sums are asked for.
class Steps {
 public:
  virtual ~Steps() = default;

  // The samples of an update, which outlive its steps.
  virtual void BeginUpdate(const Samples& samples) = 0;
  // A pass over them, in this order.
  virtual void BeginPass(std::span<int64_t> order) = 0;
  // The pass's next rows: gradients, which stay in the networks' flat gradients, and a step of the
  // optimiser by them.
  virtual void Step(Part part, int64_t rows, const StepSettings& settings,
                    Optimizer& optimizer) = 0;
  // Since they were last taken. A gradient that was not finite is an Error, here or before.
  virtual StepSums TakeSums() = 0;

  // The critic's value of each row.
  virtual std::vector<float> Values(const NetInput& input) = 0;
  // How often so far a minibatch, or a part of one, was halved for lack of memory.
  virtual int64_t splits() const = 0;
  // That share the work at present.
  virtual int threads() const = 0;
};

}  // namespace dray
