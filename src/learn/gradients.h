#pragma once

#include <cstdint>
#include <vector>

#include "src/learn/samples.h"

namespace dray {

// What one minibatch's losses are made of.
struct LossSettings {
  double clip = 0.2;
  bool clip_value = true;
  bool normalize_advantages = true;
  double entropy_coefficient = 0;
  double policy_coefficient = 1;
  double appraisal_coefficient = 0;
  double appraisal_temperature = 1;

  bool operator==(const LossSettings&) const = default;
};

// What the policy's loss came to on one minibatch.
struct PolicyStats {
  double loss = 0;
  double entropy = 0;
  double kl_k1 = 0;
  double kl_k3 = 0;
  double clip_fraction = 0;
  double appraisal_loss = 0;
  double ratio_error = 0;  // largest |ratio - 1|

  PolicyStats& operator+=(const PolicyStats& other) {
    loss += other.loss;
    entropy += other.entropy;
    kl_k1 += other.kl_k1;
    kl_k3 += other.kl_k3;
    clip_fraction += other.clip_fraction;
    appraisal_loss += other.appraisal_loss;
    ratio_error = ratio_error > other.ratio_error ? ratio_error : other.ratio_error;
    return *this;
  }
};

// Rows start ... start + rows - 1 of some samples.
struct Minibatch {
  const Samples& samples;
  int64_t start;
  int64_t rows;
};

// Leaves the gradients of one minibatch's loss in the networks' flat gradients. The networks share
// no parameter, so that the joint loss is the sum of the two parts. There are two of these, held
// together by a test: TorchGradients, the definition, on any device; CpuGradients, several times
// faster.
class Gradients {
 public:
  virtual ~Gradients() = default;

  // The actor's gradients of: policy_coefficient * clipped policy loss - entropy_coefficient *
  // entropy + appraisal_coefficient * appraisal loss.
  virtual PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) = 0;
  // The critic's gradients of: scale * value loss. Returns the loss, not scaled.
  virtual double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) = 0;
  // The critic's value of each row.
  virtual std::vector<float> Values(const NetInput& input) = 0;
  // How often so far a minibatch, or a part of one, was halved for lack of memory.
  virtual int64_t splits() const { return 0; }
};

}  // namespace dray
