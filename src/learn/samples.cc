#include "src/learn/samples.h"

namespace dray {

NetInput Samples::input() const {
  NetInput input(observations, bags);
  input.sequence = sequence;
  return input;
}

Samples Samples::Rows(const at::Tensor& order) const {
  const auto pick = [&order](const at::Tensor& t) {
    return t.defined() ? t.index_select(0, order) : t;
  };
  return {pick(observations), {bags.offsets, bags.indices, pick(bags.rows)},
          pick(masks),        pick(actions),
          pick(appraisals),   pick(log_probs),
          pick(values),       pick(advantages),
          pick(returns),      sequence};
}

Samples Samples::Slice(int64_t start, int64_t length) const {
  const auto cut = [=](const at::Tensor& t) {
    return t.defined() ? t.narrow(0, start, length) : t;
  };
  return {cut(observations), {bags.offsets, bags.indices, cut(bags.rows)},
          cut(masks),        cut(actions),
          cut(appraisals),   cut(log_probs),
          cut(values),       cut(advantages),
          cut(returns),      sequence};
}

}  // namespace dray
