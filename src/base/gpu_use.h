#pragma once

#include <cstdint>
#include <vector>

namespace dray {

// How busy this machine's NVIDIA GPUs are, whoever's work it is, as their driver counts it.
class GpuUse {
 public:
  GpuUse();
  GpuUse(const GpuUse&) = delete;
  GpuUse& operator=(const GpuUse&) = delete;

  bool has_gpus() const { return !gpus_.empty(); }

  // The share of the time, since this was last asked, in which kernels ran, as the mean of the
  // GPUs: from 0 to 1, or not a number where the driver has counted nothing since.
  double TakeShare();

 private:
  struct Gpu {
    void* handle = nullptr;
    unsigned long long seen = 0;  // the driver's time of the last count
  };

  std::vector<Gpu> gpus_;
};

}  // namespace dray
