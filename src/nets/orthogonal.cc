#include "src/nets/orthogonal.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_qr.h>

#include <algorithm>

namespace dray {

at::Tensor Orthogonal(int64_t in, int64_t out, double gain, Rng& rng) {
  const int64_t rows = std::max(out, in), columns = std::min(out, in);
  at::Tensor normal = at::empty({rows, columns}, at::kDouble);
  double* values = normal.mutable_data_ptr<double>();
  for (int64_t i = 0; i < rows * columns; ++i) values[i] = rng.Normal();
  auto [q, r] = at::linalg_qr(normal);
  q = q * r.diagonal().sign();
  return ((in < out ? q.t() : q) * gain).to(at::kFloat);
}

}  // namespace dray
