#pragma once

#include <string>
#include <vector>

namespace dray {

// Returns the GPUs visible to CUDA in this process, as CUDA_VISIBLE_DEVICES names them.
std::vector<std::string> VisibleGpus();

// Claims a GPU for this process among the processes of this user on the machine: Ray does not
// assign GPUs to C++ actors, and CUDA would let all of them use the first. Claims are file locks,
// which the system releases when the process ends, however it ends.
class GpuClaim {
 public:
  // Claims the GPU with the fewest claims; `gpus` must not be empty. Creates the folder for the
  // lock files. If no lock can be taken, chooses the first GPU.
  GpuClaim(const std::vector<std::string>& gpus, const std::string& folder);
  GpuClaim(const GpuClaim&) = delete;
  GpuClaim& operator=(const GpuClaim&) = delete;
  ~GpuClaim();

  const std::string& gpu() const { return gpu_; }

 private:
  std::string gpu_;
  int lock_ = -1;
};

// Claims a GPU for the life of this process and hides all others from CUDA. Does nothing if there
// is at most one, or after the first call. Must be called before CUDA is first used.
void TakeOwnGpu();

}  // namespace dray
