#pragma once

#include <string_view>

#include "src/routing/problem.h"

namespace dray::delivery {

// Vehicles as a task's settings describe them.
struct FleetSettings {
  std::string_view task;  // task whose settings they are
  int capacity = 0;       // 0: auto
  int free_vehicles = 0;
  double extra_vehicle_cost = 0;  // a travel time
  bool hard = false;              // there are no further vehicles
};

template <typename Config>
FleetSettings FleetSettingsOf(const Config& config, std::string_view task) {
  return {.task = task,
          .capacity = config.capacity(),
          .free_vehicles = config.free_vehicles(),
          .extra_vehicle_cost = config.extra_vehicle_cost(),
          .hard = config.hard_fleet()};
}

// Makes the fleet; `usual_capacity` is what capacity auto means. Throws an Error for a fleet that
// cannot serve anybody.
Fleet MakeFleet(const FleetSettings& settings, int usual_capacity, int ticks_per_unit);

}  // namespace dray::delivery
