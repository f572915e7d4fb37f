#pragma once

#include <c10/core/Device.h>

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// What a config asks for, or an Error when the machine has no such device. `AUTO` takes a GPU when
// there is one.
at::Device ChooseDevice(Device device);

// "cpu", "cuda" or "mps".
std::string DeviceName(const at::Device& device);

}  // namespace dray
