#pragma once

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// "auto", "cpu" or "cuda", as flags have it.
inline Device DeviceNamed(const std::string& name) {
  return name == "cuda" ? CUDA : name == "cpu" ? CPU : AUTO;
}

}  // namespace dray
