#include "src/envs/dvrptw/world.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/envs/dvrptw/fleet.h"
#include "src/envs/dvrptw/unused_settings.h"

namespace dray {
namespace {

constexpr int kSeats = 4;

Ticks TicksOf(double minutes) { return static_cast<Ticks>(std::lround(minutes * kTicksPerMinute)); }

void ReadFiles(const DvrptwConfig& config, DeliveryWorld* world) {
  if (config.travel().empty() || config.trips().empty()) {
    throw UsageError("env.dvrptw.", config.travel().empty() ? "travel" : "trips",
                     ": travel and trips go together; name both files or neither");
  }
  const std::string travel_file = UserPath(config.travel()), trips_file = UserPath(config.trips());
  TravelTable table = ReadTravelMinutes(travel_file);
  if (!table.warning.empty()) world->notes.push_back(table.warning);
  world->city.travel = std::move(table.travel);
  world->city.depot = config.depot();
  if (config.depot() >= world->city.travel.places()) {
    throw UsageError("env.dvrptw.depot: there is no place ", config.depot(), "; ", travel_file,
                     " has ", world->city.travel.places(), " places, counted from 0");
  }
  const TripTable trips = ReadTrips(trips_file, world->city.travel);
  if (static_cast<int>(trips.riders.size()) != config.num_customers()) {
    throw UsageError(trips_file, ": has ", trips.riders.size(),
                     " riders where env.dvrptw.num_customers is ", config.num_customers(),
                     "; use --customers ", trips.riders.size());
  }
  world->riders = RidersFromTrips(trips, config.rider_seed());
  for (size_t i = 0; i < world->riders.size(); ++i) {
    for (const Trip& trip : world->riders[i].pool) {
      if (world->Servable(trip)) continue;
      throw UsageError(trips_file, ": rider ", trips.riders[i], ": the trip from place ",
                       trip.origin, " to ", trip.destination, " at ",
                       FormatTicks(trip.pickup_early, kTicksPerMinute),
                       " min cannot be served from the depot within the day; mend its times");
    }
  }
}

}  // namespace

Problem DeliveryWorld::EmptyProblem() const {
  Problem problem;
  problem.name = "deliveries";
  problem.travel = city.travel;
  problem.depot = city.depot;
  problem.depot_opens = 0;
  problem.depot_closes = kTicksPerDay;
  problem.fleet = fleet;
  problem.ticks_per_unit = kTicksPerMinute;
  return problem;
}

bool DeliveryWorld::Servable(const Trip& trip) const {
  const Ticks pickup = std::max(city.travel(city.depot, trip.origin), trip.pickup_early);
  if (pickup > trip.pickup_late) return false;
  const Ticks dropoff =
      std::max(pickup + service + city.travel(trip.origin, trip.destination), trip.dropoff_early);
  return dropoff <= trip.dropoff_late &&
         dropoff + service + city.travel(trip.destination, city.depot) <= kTicksPerDay;
}

std::shared_ptr<const DeliveryWorld> MakeWorld(const DvrptwConfig& config) {
  RefuseUnusedSettings(config);
  auto world = std::make_shared<DeliveryWorld>();
  world->fleet = FleetOf(config, kSeats, kTicksPerMinute);
  world->service = TicksOf(config.service_time());
  if (!config.travel().empty() || !config.trips().empty()) {
    ReadFiles(config, world.get());
    return world;
  }
  world->city = GenerateCity(config.city_seed(), config.num_places(), config.asymmetric());
  const uint64_t seed =
      config.held_out_riders() ? HeldOutSeed(config.rider_seed()) : config.rider_seed();
  world->riders = GenerateRiders(world->city, config.num_customers(), config.type_split(), seed);
  for (const Rider& rider : world->riders) {
    for (const Trip& trip : rider.pool) {
      if (world->Servable(trip)) continue;
      throw UsageError("env.dvrptw.service_time: ", config.service_time(),
                       " min is more than the riders' windows allow; choose less");
    }
  }
  return world;
}

void AddRequest(const Trip& trip, Ticks service, Problem& problem) {
  const int first = static_cast<int>(problem.stops.size());
  problem.stops.push_back({trip.origin, trip.pickup_early, trip.pickup_late, service, 1});
  problem.stops.push_back({trip.destination, trip.dropoff_early, trip.dropoff_late, service, -1});
  problem.requests.push_back({first, first + 1});
}

void RemoveLastRequest(Problem& problem) {
  problem.requests.pop_back();
  problem.stops.resize(problem.stops.size() - 2);
}

void MoveLastRequest(const Trip& trip, Problem& problem) {
  Stop& pickup = problem.stops[problem.stops.size() - 2];
  Stop& dropoff = problem.stops[problem.stops.size() - 1];
  pickup.opens = trip.pickup_early;
  pickup.closes = trip.pickup_late;
  dropoff.opens = trip.dropoff_early;
  dropoff.closes = trip.dropoff_late;
}

std::array<RequestWindows, kShiftActions> WindowsByAction(const Trip& trip) {
  std::array<RequestWindows, kShiftActions> windows;
  for (int action = 0; action < kShiftActions; ++action) {
    const Trip shifted = Shifted(trip, action);
    windows[action] = {shifted.pickup_early, shifted.pickup_late, shifted.dropoff_early,
                       shifted.dropoff_late};
  }
  return windows;
}

}  // namespace dray
