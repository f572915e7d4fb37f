#include "src/learn/gradient_signal.h"

#include <ATen/ops/dot.h>

#include <algorithm>
#include <cmath>

namespace dray {

void GradientSignal::Add(const at::Tensor& gradient) {
  const at::Tensor square = at::dot(gradient, gradient).to(at::kDouble);
  if (count_ == 0) {
    sum_ = gradient.clone();
    squares_ = square;
  } else {
    sum_.add_(gradient);
    squares_.add_(square);
  }
  ++count_;
}

double GradientSignal::share() const {
  if (count_ < 2) return std::nan("");
  const double squares = squares_.item<double>();
  if (squares == 0) return std::nan("");
  // |sum|^2 holds every gradient's own square once; the products of different ones are the signal.
  const double products = at::dot(sum_, sum_).item<double>() - squares;
  return std::max(0.0, products / static_cast<double>(count_ - 1) / squares);
}

}  // namespace dray
