#pragma once

#include <c10/core/Device.h>

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// Where the learner's tensors go: what the config asks for, or an Error when the machine has no
// such device. `AUTO` takes a GPU when there is one and a minibatch is work enough for it:
// launching the operations of an update takes some milliseconds whatever their size (measured on an
// H200: networks of 9,000 parameters learn 20 times faster on the CPU, those of 500,000 with
// minibatches of 1024 rows four times faster on the GPU).
at::Device ChooseDevice(Device device, double operations_per_minibatch);

// "cpu", "cuda" or "mps".
std::string DeviceName(const at::Device& device);

}  // namespace dray
