#pragma once

#include <cstdint>
#include <span>

#include "src/envs/waves/day.h"
#include "src/envs/waves/instance.h"

namespace dray::waves {

// Plans routes that serve all these requests from `departure` on, with as little driving as
// `rounds` of search find. The same arguments give the same routes on every machine.
Routes PlanRoutes(const Instance& instance, Ticks departure, std::span<const Request> requests,
                  int rounds, uint64_t seed);

}  // namespace dray::waves
