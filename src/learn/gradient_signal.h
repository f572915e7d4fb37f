#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dray {

// Estimates how much of a minibatch's gradient is signal: the share of its squared length, on
// average, that all minibatches have in common. The rest is noise of the samples drawn.
class GradientSignal {
 public:
  // Makes an empty signal for gradients of this size, on their device.
  explicit GradientSignal(const at::Tensor& like);

  // Adds the gradient of one minibatch. All must be of equal size, drawn at random.
  void Add(const at::Tensor& gradient);
  // Counts a gradient that a kernel has added to sum(), and its squared length to squares().
  void CountAdded() { ++count_; }
  // Forgets all gradients. The sums stay in place.
  void Clear();

  const at::Tensor& sum() const { return sum_; }
  const at::Tensor& squares() const { return squares_; }

  // Returns a number from 0 to 1, unbiased except that it is cut at 0; NaN for fewer than two
  // gradients, or if all were zero.
  double share() const;
  // Returns the share and forgets all gradients.
  double TakeShare();

 private:
  at::Tensor sum_;
  at::Tensor squares_;  // sum of squared lengths, kept on the device so that nothing waits
  int64_t count_ = 0;
};

}  // namespace dray
