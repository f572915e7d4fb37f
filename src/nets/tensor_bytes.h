#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/base/bytes.h"

namespace dray {

// Converts float tensors on any device to and from plain numbers.
std::vector<float> ToVector(const at::Tensor& tensor);
void SaveTensor(ByteWriter& out, const at::Tensor& tensor);
void LoadTensor(ByteReader& in, const at::Tensor& tensor);

}  // namespace dray
