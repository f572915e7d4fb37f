#pragma once

#include <cstdint>
#include <vector>

#include "src/learn/loss_terms.h"
#include "src/learn/samples.h"

namespace dray {

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

// Adds up terms; of the ratio error the larger one stays.
inline LossTerms& operator+=(LossTerms& terms, const LossTerms& other) {
  for (int i = 0; i < kMeanTerms; ++i) terms.of[i] += other.of[i];
  double& most = terms.of[kRatioError];
  most = most > other.of[kRatioError] ? most : other.of[kRatioError];
  return terms;
}

// Rows start ... start + rows - 1 of some samples.
struct Minibatch {
  const Samples& samples;
  int64_t start;
  int64_t rows;
};

// Computes the gradients of one minibatch's loss and leaves them in the networks' flat gradients.
// The networks share no parameter, so the joint loss is the sum of the two parts. TorchGradients is
// the reference, on any device; CpuGradients is several times faster on the CPU.
class Gradients {
 public:
  virtual ~Gradients() = default;

  // Computes the actor's gradients of policy_coefficient * clipped policy loss -
  // entropy_coefficient * entropy + appraisal_coefficient * appraisal loss. Returns the means of
  // the terms.
  virtual LossTerms Policy(const Minibatch& minibatch, const LossSettings& settings) = 0;
  // Computes the critic's gradients of scale * value loss. Returns the loss, not scaled.
  virtual double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) = 0;
  // Returns the critic's value of each row.
  virtual std::vector<float> Values(const NetInput& input) = 0;
  // Number of times a minibatch, or a part of one, was halved for lack of memory.
  virtual int64_t splits() const { return 0; }
};

}  // namespace dray
