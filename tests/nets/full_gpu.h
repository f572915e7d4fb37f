#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstdint>
#include <vector>

#include "src/nets/device_memory.h"

namespace dray {

// Takes the memory of the GPU, except for about `left_mb` megabytes, as other programs may.
class FullGpu {
 public:
  explicit FullGpu(int64_t left_mb) {
    std::vector<at::Tensor> left = {Megabytes(left_mb)};
    for (const int64_t mb : {1024, 16}) {
      while (FitsInMemory([&] { taken_.push_back(Megabytes(mb)); })) {
      }
    }
    left.clear();
    // What does not fit returns the memory that LibTorch keeps to the GPU.
    FitsInMemory([&] { taken_.push_back(Megabytes(1024)); });
  }

 private:
  static at::Tensor Megabytes(int64_t mb) {
    return at::empty({mb << 20}, at::TensorOptions(at::kByte).device(at::kCUDA));
  }

  std::vector<at::Tensor> taken_;
};

}  // namespace dray
