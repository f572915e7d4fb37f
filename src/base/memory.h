#pragma once

#include <cstdint>
#include <string>

namespace dray {

// Resident memory of this process, in MB of 2^20 bytes.
double ResidentMegabytes();

// Memory of this machine, in bytes.
int64_t MachineMemoryBytes();

// Memory that this process could still take, in bytes: what the machine has to spare, and no more
// than its container is allowed. `root` is where /proc and /sys are looked for.
int64_t FreeMemoryBytes(const std::string& root = "");

}  // namespace dray
