#pragma once

#include <chrono>

namespace dray {

// Seconds since 1970, comparable between processes.
inline double UnixSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace dray
