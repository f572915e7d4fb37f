#pragma once

#include <cstdint>
#include <string>

namespace dray {

// Resident memory of this process, in MB of 2^20 bytes.
double ResidentMegabytes();

// Memory of this machine, in bytes.
int64_t MachineMemoryBytes();

// Memory this process can still allocate, in bytes: what is available on the machine, at most the
// limit of its container. `root` is prepended to /proc and /sys.
int64_t FreeMemoryBytes(const std::string& root = "");

}  // namespace dray
