#pragma once

#include <string>
#include <vector>

namespace dray {

// The GPUs of this machine that CUDA would show to this process, as CUDA_VISIBLE_DEVICES names
// them.
std::vector<std::string> VisibleGpus();

// A GPU for a process of its own, among the processes of this user on a machine: Ray tells actors
// written in C++ of no GPU of theirs, and CUDA would have them all use the first. Held by locks on
// files, which the system lets go when a process ends, however that comes.
class GpuClaim {
 public:
  // One that the fewest have claimed, of at least one; lock files lie in the folder, which is made.
  // Where no lock can be had, it is the first.
  GpuClaim(const std::vector<std::string>& gpus, const std::string& folder);
  GpuClaim(const GpuClaim&) = delete;
  GpuClaim& operator=(const GpuClaim&) = delete;
  ~GpuClaim();

  const std::string& gpu() const { return gpu_; }

 private:
  std::string gpu_;
  int lock_ = -1;
};

// Shows CUDA one GPU alone, claimed for as long as this process lives. Does nothing where there is
// at most one, and from the second call on. Comes before CUDA is first used.
void TakeOwnGpu();

}  // namespace dray
