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
    for (const int64_t mb : {int64_t{1024}, kSmall}) {
      while (FitsInMemory([&] {
        taken_.push_back(at::empty({mb << 20}, at::TensorOptions(at::kByte).device(at::kCUDA)));
      })) {
      }
    }
    taken_.resize(taken_.size() - left_mb / kSmall);
  }

 private:
  static constexpr int64_t kSmall = 16;
  std::vector<at::Tensor> taken_;
};

}  // namespace dray
