#include "src/learn/gradient_signal.h"

#include <ATen/ops/dot.h>

#include <algorithm>
#include <cmath>

namespace dray {

void GradientSignal::Add(const at::Tensor& gradient) {
  if (count_ == 0) {
    sum_ = gradient.clone();
  } else {
    sum_.add_(gradient);
  }
  squares_ += at::dot(gradient, gradient).item<double>();
  ++count_;
}

double GradientSignal::share() const {
  if (count_ < 2 || squares_ == 0) return std::nan("");
  // |sum|^2 holds every gradient's own square once; the products of different ones are the signal.
  const double products = at::dot(sum_, sum_).item<double>() - squares_;
  return std::max(0.0, products / static_cast<double>(count_ - 1) / squares_);
}

}  // namespace dray
