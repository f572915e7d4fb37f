#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>

namespace dray {

// Work on a device that is done again and again, on the same memory. A CUDA device is slow to start
// operations one by one: the third time, what the work starts is recorded, and from then on all of
// it is started at once. Elsewhere, and where Dray was built without CUDA, the work is simply done
// each time.
class LaunchGraph {
 public:
  explicit LaunchGraph(const at::Device& device);
  ~LaunchGraph();

  // Whether work on this device is recorded at all.
  static bool Records(const at::Device& device);

  // The same work each time: the same operations, on tensors that stay where they are; it neither
  // copies from nor to other memory, nor waits for the device.
  void Run(const std::function<void()>& work);

 private:
  struct Recording;

  at::Device device_;
  int runs_ = 0;
  bool recorded_ = false;
  std::unique_ptr<Recording> recording_;
};

}  // namespace dray
