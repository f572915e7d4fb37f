#include "src/nets/device.h"

#include <ATen/Context.h>

#include "src/base/error.h"

namespace dray {

at::Device ChooseDevice(Device device) {
  const bool cuda = at::globalContext().hasCUDA();
  const bool mps = at::hasMPS();
  switch (device) {
    case AUTO:
      return cuda ? at::kCUDA : mps ? at::kMPS : at::kCPU;
    case CPU:
      return at::kCPU;
    case CUDA:
      if (cuda) return at::kCUDA;
      throw UsageError(
          "device cuda: no CUDA device is usable here; use --device cpu or auto, or on a machine "
          "with a "
          "GPU install the CUDA build of LibTorch: scripts/setup.sh --torch cuda");
    case MPS:
      if (mps) return at::kMPS;
      throw UsageError("device mps: there is none here; use --device cpu or auto");
  }
  throw UsageError("unknown device; use auto, cpu, cuda or mps");
}

std::string DeviceName(const at::Device& device) {
  return device.is_cuda() ? "cuda" : device.is_mps() ? "mps" : "cpu";
}

}  // namespace dray
