#pragma once

#include <cstdint>
#include <vector>

namespace dray {

// Measures how busy and how full this machine's NVIDIA GPUs are, counting all processes, as
// reported by the driver.
class GpuUse {
 public:
  GpuUse();
  GpuUse(const GpuUse&) = delete;
  GpuUse& operator=(const GpuUse&) = delete;

  bool has_gpus() const { return !gpus_.empty(); }

  // Returns the fraction of time since the last call in which kernels ran, averaged over the GPUs:
  // from 0 to 1, or NaN if the driver has no new samples.
  double TakeShare();
  // Returns the memory in use on all GPUs together, by any process; NaN if the driver does not say.
  double MemoryMegabytes() const;
  // Returns the free memory of the first GPU, which a learner of this machine uses; 0 if unknown.
  int64_t FreeBytes() const;

 private:
  struct Gpu {
    void* handle = nullptr;
    unsigned long long seen = 0;  // driver time of the last sample read
  };

  std::vector<Gpu> gpus_;
};

}  // namespace dray
