#include "src/nets/net.h"

namespace dray {

void Net::Differentiate(const NetInput& input, const at::Tensor& parameters,
                        const at::Tensor& gradients, const ByOutputs& by_outputs) const {
  const at::Tensor outputs = Forward(input, parameters);
  const at::Tensor by = by_outputs(outputs.detach());
  gradients.zero_();
  outputs.backward(by);
}

}  // namespace dray
