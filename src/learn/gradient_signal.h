#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dray {

// How much of a minibatch's gradient is signal: the share of its squared length, on average, that
// all minibatches have in common. The rest is the noise of the samples it happens to hold.
class GradientSignal {
 public:
  // One minibatch's; all of them of equal size, drawn without preference.
  void Add(const at::Tensor& gradient);

  // From 0 to 1, without bias but for the cut at 0; not a number for fewer than two gradients, or
  // when all were zero.
  double share() const;

 private:
  at::Tensor sum_;
  at::Tensor squares_;  // of lengths, summed; where the gradients are, so that nothing waits
  int64_t count_ = 0;
};

}  // namespace dray
