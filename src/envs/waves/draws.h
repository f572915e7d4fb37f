#pragma once

#include <cstdint>
#include <vector>

#include "src/envs/waves/instance.h"

namespace dray::waves {

// Customers drawn at the beginning of an epoch, as indices into Instance::customers. Request i has
// the place, the window, the load and the service of four customers that were drawn independently.
struct Draws {
  std::vector<int64_t> places;
  std::vector<int64_t> windows;
  std::vector<int64_t> loads;
  std::vector<int64_t> services;
};

// Returns the requests drawn that a vehicle of this epoch can serve, in the order of the draws.
std::vector<Request> Arrivals(const Instance& instance, int epoch, const Draws& draws);

}  // namespace dray::waves
