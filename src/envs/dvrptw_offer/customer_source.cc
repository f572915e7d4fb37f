#include "src/envs/dvrptw_offer/customer_source.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/envs/delivery/fleet.h"
#include "src/envs/delivery/unused_settings.h"
#include "src/output/format.h"
#include "src/routing/readers.h"
#include "src/routing/travel_minutes.h"

namespace dray::dvrptw_offer {
namespace {

constexpr std::string_view kTask = "dvrptw_offer";

constexpr delivery::Unused kWithoutInstance[] = {
    {"speed_kmh", "between generated customers, a distance of 1 takes a time of 1"},
};
constexpr delivery::Unused kWithInstance[] = {
    {"free_vehicles", "the file has its own number of vehicles"},
};

constexpr int kTicksPerUnit = 10;
constexpr double kSide = 100;
constexpr int kCapacity = 200;
constexpr int kMostDemand = 29;
constexpr Ticks kService = 10 * kTicksPerUnit;
constexpr Ticks kHorizon = 230 * kTicksPerUnit;
constexpr double kLostRoundTrips = 1.5;

Ticks TravelBetween(const Point& a, const Point& b) {
  return std::lround(kTicksPerUnit * Distance(a, b));
}

// Draws the place of a generated customer; returns its demand.
int DrawCustomer(Rng& rng, Point& point) {
  point.x = rng.Uniform(0, kSide);
  point.y = rng.Uniform(0, kSide);
  return 1 + rng.Below(kMostDemand);
}

void ExpectSingleStops(const Problem& problem, const std::string& file) {
  for (const Request& request : problem.requests) {
    if (request.paired()) {
      throw UsageError(file,
                       ": has pickups with deliveries; dvrptw_offer needs a file of single stops");
    }
  }
}

std::shared_ptr<const Problem> ReadInstance(const DvrptwOfferConfig& config) {
  auto problem = std::make_shared<Problem>(ReadCustomers(config));
  const std::string file = UserPath(config.instance());
  ExpectSingleStops(*problem, file);
  if (std::ssize(problem->requests) < config.num_customers()) {
    throw UsageError("env.dvrptw_offer.num_customers: is ", config.num_customers(), ", but ", file,
                     " has ", FormatCounted(std::ssize(problem->requests), "customer"),
                     "; leave it out, or set it to at most ", problem->requests.size());
  }
  const Fleet fleet = delivery::MakeFleet(delivery::FleetSettingsOf(config, kTask),
                                          problem->fleet.capacity, problem->ticks_per_unit);
  problem->fleet.extra_vehicle_cost = fleet.extra_vehicle_cost;
  problem->fleet.hard = fleet.hard;
  return problem;
}

// Returns the sum of the round trips to all customers, those who came and those of a future.
int64_t RoundTrips(const Problem& stops, std::span<const Customer> seen, const Future& future) {
  const size_t places = stops.travel.places();
  const size_t depot = stops.depot;
  int64_t sum = 0;
  const auto add = [&](const Customer& customer) {
    const size_t place = future.stops[customer.stop].place;
    sum += future.travel[depot * places + place] + future.travel[place * places + depot];
  };
  std::ranges::for_each(seen, add);
  std::ranges::for_each(future.customers, add);
  return sum;
}

}  // namespace

Problem ReadCustomers(const DvrptwOfferConfig& config) {
  ReadOptions options;
  if (config.capacity() > 0) options.capacity = config.capacity();
  // Compared by value, because a run's config.yaml names every setting.
  if (config.speed_kmh() != DvrptwOfferConfig::default_instance().speed_kmh()) {
    options.speed_kmh = config.speed_kmh();
  }
  return ReadProblem(UserPath(config.instance()), options);
}

int64_t LostPenalty(int64_t round_trips, int customers) {
  return std::llround(kLostRoundTrips * round_trips / customers);
}

CustomerSource::CustomerSource(const DvrptwOfferConfig& config)
    : customers_(config.num_customers()), types_(config.type_split()) {
  delivery::RefuseUnusedOracleSettings(config, kTask, config.oracle());
  if (config.instance().empty()) {
    delivery::RefuseUnused(config, kTask, kWithoutInstance, "without env.dvrptw_offer.instance");
  } else {
    delivery::RefuseUnused(config, kTask, kWithInstance, "with env.dvrptw_offer.instance");
  }
  fleet_ = delivery::MakeFleet(delivery::FleetSettingsOf(config, kTask), kCapacity, kTicksPerUnit);
  if (!config.instance().empty()) {
    file_ = ReadInstance(config);
  } else if (fleet_.capacity < kMostDemand) {
    throw UsageError("env.dvrptw_offer.capacity: ", fleet_.capacity,
                     " is less than a customer may demand; choose at least ", kMostDemand,
                     ", or auto");
  }
}

Problem CustomerSource::Generate(Rng& rng) const {
  Problem problem;
  problem.name = "offers";
  problem.fleet = fleet_;
  problem.depot = 0;
  problem.depot_opens = 0;
  problem.depot_closes = kHorizon;
  problem.ticks_per_unit = kTicksPerUnit;
  problem.points.push_back({kSide / 2, kSide / 2});
  for (int i = 0; i < customers_; ++i) {
    const int demand = DrawCustomer(rng, problem.points.emplace_back());
    problem.stops.push_back({i + 1, 0, kHorizon, kService, demand});
    problem.requests.push_back({i, -1});
  }
  const size_t places = problem.points.size();
  std::vector<Ticks> times(places * places);
  for (size_t i = 0; i < places; ++i) {
    for (size_t j = 0; j < places; ++j) {
      times[i * places + j] = TravelBetween(problem.points[i], problem.points[j]);
    }
  }
  CloseTriangles(places, &times);
  problem.travel = TravelMatrix(places, std::move(times));
  return problem;
}

std::vector<Customer> CustomerSource::Draw(const EpisodeKey& key, Problem* stops) const {
  Rng rng = delivery::EpisodeRng(key, RngPurpose::kEpisode);
  *stops = file_ ? *file_ : Generate(rng);
  std::vector<Customer> customers(stops->requests.size());
  for (size_t i = 0; i < customers.size(); ++i) {
    customers[i].stop = stops->requests[i].pickup;
  }
  rng.Shuffle(std::span(customers));
  customers.resize(customers_);
  DrawAnswers(customers, rng);
  return customers;
}

void CustomerSource::DrawAnswers(std::span<Customer> customers, Rng& rng) const {
  for (Customer& customer : customers) {
    customer.type = delivery::DrawType(types_, rng);
    customer.personal_slot = rng.Below(kSlots);
    customer.taste = rng.Uniform();
  }
}

void CustomerSource::DrawFuture(const Problem& stops, std::span<const Customer> seen, Rng& rng,
                                Future& future) const {
  std::vector<uint8_t> has_come(stops.stops.size());
  for (const Customer& customer : seen) has_come[customer.stop] = 1;
  future.customers.clear();
  for (const Request& request : stops.requests) {
    if (has_come[request.pickup] == 0) {
      future.customers.push_back({.stop = request.pickup});
    }
  }
  rng.Shuffle(std::span(future.customers));
  future.customers.resize(customers_ - seen.size());
  DrawAnswers(future.customers, rng);
  future.stops = stops.stops;
  future.travel = stops.travel.times();
  if (!file_) Replace(stops, rng, future);
  future.lost_penalty = LostPenalty(RoundTrips(stops, seen, future), customers_);
}

void CustomerSource::Replace(const Problem& stops, Rng& rng, Future& future) const {
  const auto places = stops.points.size();
  future.points = stops.points;
  future.drawn_travel.assign(future.travel.begin(), future.travel.end());
  for (const Customer& customer : future.customers) {
    Stop& stop = future.stops[customer.stop];
    stop.load = DrawCustomer(rng, future.points[stop.place]);
  }
  for (const Customer& customer : future.customers) {
    const size_t here = future.stops[customer.stop].place;
    for (size_t there = 0; there < places; ++there) {
      const Ticks way = TravelBetween(future.points[here], future.points[there]);
      future.drawn_travel[here * places + there] = way;
      future.drawn_travel[there * places + here] = way;
    }
  }
  future.travel = future.drawn_travel;
}

}  // namespace dray::dvrptw_offer
