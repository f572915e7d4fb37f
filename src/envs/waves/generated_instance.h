#pragma once

#include <cstdint>

#include "src/envs/waves/instance.h"

namespace dray::waves {

// Generates a static instance: customers in and around a town an hour across, with an asymmetric
// matrix and windows that open over seven hours.
Instance GenerateInstance(uint64_t seed, int customers);

}  // namespace dray::waves
