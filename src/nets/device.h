#pragma once

#include <c10/core/Device.h>

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// Returns the configured device; `AUTO` prefers a GPU. Throws an Error if the machine does not have
// that device.
at::Device ChooseDevice(Device device);

// Returns "cpu", "cuda" or "mps".
std::string DeviceName(const at::Device& device);

}  // namespace dray
