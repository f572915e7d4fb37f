#pragma once

namespace dray {

// Resident memory of this process, in MB of 2^20 bytes.
double ResidentMegabytes();

}  // namespace dray
