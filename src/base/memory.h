#pragma once

#include <cstdint>

namespace dray {

// Resident memory of this process, in MB of 2^20 bytes.
double ResidentMegabytes();

// Memory of this machine, in bytes.
int64_t MachineMemoryBytes();

}  // namespace dray
