#include "src/envs/dvrptw/world.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/envs/delivery/fleet.h"
#include "src/envs/dvrptw/settings.h"
#include "src/output/format.h"
#include "src/routing/places.h"
#include "src/routing/text_file.h"
#include "src/routing/trips.h"

namespace dray::dvrptw {
namespace {

constexpr int kSeats = 4;

Ticks TicksOf(double minutes) { return std::lround(minutes * kTicksPerMinute); }

// Scales and moves points into the unit square.
std::vector<Point> InUnitSquare(std::vector<Point> points) {
  const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
  const auto [bottom, top] = std::ranges::minmax(points, {}, &Point::y);
  const double side = std::max(right.x - left.x, top.y - bottom.y);
  for (Point& point : points) {
    point = {(point.x - left.x) / side, (point.y - bottom.y) / side};
  }
  return points;
}

void ReadCity(const DvrptwConfig& config, const PlaceTable* places, World* world) {
  City& city = world->city;
  if (config.travel().empty()) {
    city.travel = TravelAtSpeed(*places, config.speed_kmh());
  } else {
    TravelTable table = ReadTravelMinutes(UserPath(config.travel()));
    if (!table.warning.empty()) world->notes.push_back(table.warning);
    city.travel = std::move(table.travel);
  }
  if (places != nullptr) {
    if (std::ssize(places->names) != city.travel.places()) {
      throw UsageError(places->path, ": has ", places->names.size(), " places, but ",
                       UserPath(config.travel()), " has ", city.travel.places(),
                       "; write a line for each place in both, in the same order");
    }
    city.points = InUnitSquare(places->points);
  }
  city.depot = config.depot();
  if (config.depot() >= city.travel.places()) {
    throw UsageError("env.dvrptw.depot: there is no place ", config.depot(), "; ",
                     UserPath(config.travel().empty() ? config.places() : config.travel()), " has ",
                     city.travel.places(), " places, counted from 0");
  }
}

// Returns a note about riders whose types the file does not give; empty if it gives all.
std::string DrawnTypesNote(const std::string& file, const TripTable& trips) {
  const auto drawn = std::ranges::count(trips.flexibility, -1);
  if (drawn == 0) return "";
  const bool all = drawn == std::ssize(trips.riders);
  return Cat(file, ": ",
             all ? "no rider has a flexibility"
                 : Cat(drawn, " of ", trips.riders.size(),
                       drawn == 1 ? " riders has" : " riders have", " no flexibility"),
             "; it is drawn uniformly from late_dropoff, early_pickup, none and both, with the "
             "seed env.dvrptw.rider_seed");
}

void ReadFiles(const DvrptwConfig& config, World* world) {
  const bool city = !config.travel().empty() || !config.places().empty();
  if (!city) {
    throw UsageError(
        "env.dvrptw.trips: trips need places (env.dvrptw.places) or travel times "
        "(env.dvrptw.travel)");
  }
  if (config.trips().empty()) {
    throw UsageError("env.dvrptw.", config.travel().empty() ? "places" : "travel",
                     ": your own city also needs trips (env.dvrptw.trips)");
  }
  std::optional<PlaceTable> places;
  if (!config.places().empty()) places = ReadPlaces(UserPath(config.places()));
  ReadCity(config, places ? &*places : nullptr, world);
  const std::string trips_file = UserPath(config.trips());
  const TripTable trips = ReadTrips(trips_file, world->city.travel, places ? &*places : nullptr);
  const int riders = trips.riders.size();
  if (riders != config.num_customers()) {
    throw UsageError("env.dvrptw.num_customers: is ", config.num_customers(), ", but ", trips_file,
                     " has ", FormatCounted(riders, "rider"), "; leave it out, or set it to ",
                     riders);
  }
  world->riders = RidersFromTrips(trips, config.rider_seed());
  world->rider_names = trips.riders;
  if (places) world->place_names = places->names;
  if (const std::string note = DrawnTypesNote(trips_file, trips); !note.empty()) {
    world->notes.push_back(note);
  }
  for (size_t i = 0; i < trips.trips.size(); ++i) {
    const Trip& trip = trips.trips[i];
    if (world->Servable(trip)) continue;
    throw UsageError(trips_file, ":", trips.lines[i], ": rider ", Quoted(trips.riders[trip.rider]),
                     ": the trip cannot be served from the depot, place ", world->city.depot,
                     ", within the day; fix its times");
  }
}

}  // namespace

Problem World::EmptyProblem() const {
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

bool World::Servable(const Trip& trip) const {
  const Ticks pickup = std::max(city.travel(city.depot, trip.origin), trip.pickup_early);
  if (pickup > trip.pickup_late) return false;
  const Ticks dropoff =
      std::max(pickup + service + city.travel(trip.origin, trip.destination), trip.dropoff_early);
  return dropoff <= trip.dropoff_late &&
         dropoff + service + city.travel(trip.destination, city.depot) <= kTicksPerDay;
}

std::shared_ptr<const World> MakeWorld(const DvrptwConfig& config) {
  RefuseUnusedSettings(config);
  auto world = std::make_shared<World>();
  world->fleet =
      delivery::MakeFleet(delivery::FleetSettingsOf(config, "dvrptw"), kSeats, kTicksPerMinute);
  world->service = TicksOf(config.service_time());
  if (!config.travel().empty() || !config.places().empty() || !config.trips().empty()) {
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
                       " min does not fit into the riders' windows; choose a shorter time");
    }
  }
  return world;
}

void AddRequest(const Trip& trip, Ticks service, Problem& problem) {
  const int first = problem.stops.size();
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

}  // namespace dray::dvrptw
