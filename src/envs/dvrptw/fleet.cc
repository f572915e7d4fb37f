#include "src/envs/dvrptw/fleet.h"

#include <cmath>

#include "src/base/error.h"

namespace dray {

Fleet FleetOf(const DvrptwConfig& config, int usual_capacity, int ticks_per_unit) {
  Fleet fleet;
  fleet.capacity = config.capacity() > 0 ? config.capacity() : usual_capacity;
  fleet.free_vehicles = config.free_vehicles();
  fleet.extra_vehicle_cost =
      static_cast<Ticks>(std::lround(config.extra_vehicle_cost() * ticks_per_unit));
  fleet.hard = config.hard_fleet();
  if (fleet.hard && fleet.free_vehicles == 0) {
    throw UsageError(
        "env.dvrptw.free_vehicles: a hard fleet of 0 vehicles serves nobody; give it one, or set "
        "env.dvrptw.hard_fleet to false");
  }
  return fleet;
}

}  // namespace dray
