#include "src/nets/tensor_bytes.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/GradMode.h>

namespace dray {

std::vector<float> ToVector(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().to(at::kCPU).contiguous();
  const float* data = flat.const_data_ptr<float>();
  return {data, data + flat.numel()};
}

void SaveTensor(ByteWriter& out, const at::Tensor& tensor) { out.PutVector(ToVector(tensor)); }

void LoadTensor(ByteReader& in, const at::Tensor& tensor) {
  std::vector<float> values(tensor.numel());
  in.GetInto<float>(values);
  const c10::NoGradGuard no_grad;
  tensor.copy_(at::from_blob(values.data(), tensor.sizes(), at::kFloat));
}

}  // namespace dray
