#pragma once

#include "src/base/stopwatch.h"

namespace dray {

// Time that a runner spent in each phase, in seconds.
struct PhaseTimes {
  double rollout_s = 0;
  double transfer_s = 0;
  double learn_s = 0;
  double weights_s = 0;
  double evaluate_s = 0;
  double checkpoint_s = 0;

  PhaseTimes& operator+=(const PhaseTimes& other) {
    rollout_s += other.rollout_s;
    transfer_s += other.transfer_s;
    learn_s += other.learn_s;
    weights_s += other.weights_s;
    evaluate_s += other.evaluate_s;
    checkpoint_s += other.checkpoint_s;
    return *this;
  }
};

// Adds the time until the end of its scope to a sum.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& sum_s) : sum_s_(sum_s) {}
  ~PhaseTimer() { sum_s_ += watch_.seconds(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double& sum_s_;
  Stopwatch watch_;
};

}  // namespace dray
