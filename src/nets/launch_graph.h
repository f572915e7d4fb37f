#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>

namespace dray {

// Work that is repeated on the same memory of a device. Starting operations one by one is slow on a
// CUDA device, so the third run is recorded, and later runs start everything at once. On other
// devices, and in builds without CUDA, the work is simply done each time.
class LaunchGraph {
 public:
  explicit LaunchGraph(const at::Device& device);
  ~LaunchGraph();

  // Returns true if work on this device is recorded.
  static bool Records(const at::Device& device);

  // Runs the work. It must be the same each time: the same operations on tensors that stay in
  // place, without copies from or to other memory and without waiting for the device.
  void Run(const std::function<void()>& work);

 private:
  struct Recording;

  at::Device device_;
  int runs_ = 0;
  bool recorded_ = false;
  std::unique_ptr<Recording> recording_;
};

}  // namespace dray
