#include "src/nets/net_input.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/repeat_interleave.h>

namespace dray {

NetInput NetInput::Slice(int64_t start, int64_t length) const {
  NetInput slice(numbers.narrow(0, start, length), bags);
  if (bags.defined()) slice.bags.rows = bags.rows.narrow(0, start, length);
  return slice;
}

PickedBags::PickedBags(const Bags& bags) {
  if (!bags.defined()) return;
  const at::Tensor first = bags.offsets.index_select(0, bags.rows).to(at::kLong);
  const at::Tensor lengths = bags.offsets.index_select(0, bags.rows + 1).to(at::kLong) - first;
  row_of = at::repeat_interleave(lengths);
  starts = lengths.cumsum(0) - lengths;
  const at::Tensor within = at::arange(row_of.size(0), row_of.options());
  indices =
      bags.indices.index_select(0, within + (first - starts).index_select(0, row_of)).to(at::kLong);
}

}  // namespace dray
