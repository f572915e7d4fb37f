#include "src/learn/gradient_signal.h"

#include <ATen/ops/dot.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

namespace dray {

GradientSignal::GradientSignal(const at::Tensor& like)
    : sum_(at::zeros_like(like)), squares_(at::zeros({}, like.options().dtype(at::kDouble))) {}

void GradientSignal::Add(const at::Tensor& gradient) {
  sum_.add_(gradient);
  squares_.add_(at::dot(gradient, gradient).to(at::kDouble));
  ++count_;
}

double GradientSignal::TakeShare() {
  const double taken = share();
  Clear();
  return taken;
}

void GradientSignal::Clear() {
  sum_.zero_();
  squares_.zero_();
  count_ = 0;
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
