#pragma once

#include <cstdint>
#include <span>

#include "src/learn/gradients.h"
#include "src/learn/optimizer.h"

namespace dray {

// Networks that a step trains.
enum class Part { kPolicyAndValue, kPolicy, kValue };

struct StepSettings {
  LossSettings loss;
  double value_scale = 1;  // coefficient of the value loss; 0: the critic is not trained
  double learning_rate = 0;
  bool adds_to_signal = false;  // whether the actor's gradient counts in the gradient signal

  bool operator==(const StepSettings&) const = default;
};

// Results of several steps, added up.
struct StepSums {
  LossTerms policy;
  double value_loss = 0;
  double grad_norm = 0;

  StepSums& operator+=(const StepSums& other) {
    policy += other.policy;
    value_loss += other.value_loss;
    grad_norm += other.grad_norm;
    return *this;
  }
};

// Takes the optimiser steps of an update, one per minibatch. HostSteps waits for each; DeviceSteps
// hands them to a GPU and waits only when the sums are asked for.
class Steps {
 public:
  virtual ~Steps() = default;

  // Begins an update on these samples, which must outlive its steps.
  virtual void BeginUpdate(const Samples& samples) = 0;
  // Begins a pass over the samples, in this order, in minibatches of this many rows.
  virtual void BeginPass(std::span<int64_t> order, int64_t minibatch) = 0;
  // Computes the gradients of the pass's next rows and takes an optimiser step. Only the last step
  // of a pass may have fewer rows than its minibatches.
  virtual void Step(Part part, int64_t rows, const StepSettings& settings,
                    Optimizer& optimizer) = 0;
  // Returns the sums since the last call. Throws GradientNotFinite, unless Step has.
  virtual StepSums TakeSums() = 0;
  // Returns GradientSignal::share() of the steps since the last call that added to it.
  virtual double TakeSignal() = 0;

  // Returns the critic's value of each row.
  virtual std::vector<float> Values(const NetInput& input) = 0;
  // Number of times a minibatch, or a part of one, was halved for lack of memory.
  virtual int64_t splits() const = 0;
  // Number of threads in use.
  virtual int threads() const = 0;
};

}  // namespace dray
