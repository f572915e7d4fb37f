#include "src/envs/delivery/fleet.h"

#include <cmath>

#include "src/base/error.h"

namespace dray::delivery {

Fleet MakeFleet(const FleetSettings& settings, int usual_capacity, int ticks_per_unit) {
  if (settings.hard && settings.free_vehicles == 0) {
    throw UsageError("env.", settings.task,
                     ".free_vehicles: a hard fleet of 0 vehicles cannot serve anybody; add a "
                     "vehicle, or set env.",
                     settings.task, ".hard_fleet to false");
  }
  Fleet fleet;
  fleet.capacity = settings.capacity > 0 ? settings.capacity : usual_capacity;
  fleet.free_vehicles = settings.free_vehicles;
  fleet.extra_vehicle_cost = std::lround(settings.extra_vehicle_cost * ticks_per_unit);
  fleet.hard = settings.hard;
  return fleet;
}

}  // namespace dray::delivery
