#include "src/envs/dvrptw/offer_source.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/envs/dvrptw/fleet.h"
#include "src/envs/dvrptw/unused_settings.h"
#include "src/routing/readers.h"
#include "src/routing/travel_minutes.h"

namespace dray {
namespace {

constexpr int kTicksPerUnit = 10;
constexpr double kSide = 100;
constexpr int kCapacity = 200;
constexpr int kMostDemand = 29;
constexpr Ticks kService = 10 * kTicksPerUnit;
constexpr Ticks kHorizon = 230 * kTicksPerUnit;
constexpr double kLostRoundTrips = 1.5;

Ticks Distance(const Point& a, const Point& b) {
  return static_cast<Ticks>(std::lround(kTicksPerUnit * std::hypot(a.x - b.x, a.y - b.y)));
}

// Where a generated customer is, and its demand.
int DrawCustomer(Rng& rng, Point& point) {
  point.x = rng.Uniform(0, kSide);
  point.y = rng.Uniform(0, kSide);
  return 1 + static_cast<int>(rng.Below(kMostDemand));
}

void ExpectSingleStops(const Problem& problem, const std::string& file) {
  for (const Request& request : problem.requests) {
    if (request.paired()) {
      throw UsageError(file,
                       ": has pickups with deliveries; the mode offer plays files of single stops");
    }
  }
}

std::shared_ptr<const Problem> ReadInstance(const DvrptwConfig& config) {
  auto problem = std::make_shared<Problem>(ReadCustomers(config));
  const std::string file = UserPath(config.instance());
  ExpectSingleStops(*problem, file);
  if (static_cast<int>(problem->requests.size()) < config.num_customers()) {
    throw UsageError("env.dvrptw.num_customers: is ", config.num_customers(), ", but ", file,
                     " has ", problem->requests.size(), " customers; leave it out, or set it to ",
                     problem->requests.size(), " at most");
  }
  const Fleet fleet = FleetOf(config, problem->fleet.capacity, problem->ticks_per_unit);
  problem->fleet.extra_vehicle_cost = fleet.extra_vehicle_cost;
  problem->fleet.hard = fleet.hard;
  return problem;
}

// Of all customers, those who came and those of a future.
int64_t RoundTrips(const Problem& stops, std::span<const OfferCustomer> seen,
                   const OfferFuture& future) {
  const size_t places = stops.travel.places();
  const size_t depot = stops.depot;
  int64_t sum = 0;
  const auto add = [&](const OfferCustomer& customer) {
    const size_t place = future.stops[customer.stop].place;
    sum += future.travel[depot * places + place] + future.travel[place * places + depot];
  };
  std::ranges::for_each(seen, add);
  std::ranges::for_each(future.customers, add);
  return sum;
}

}  // namespace

Problem ReadCustomers(const DvrptwConfig& config) {
  ReadOptions options;
  if (config.capacity() > 0) options.capacity = config.capacity();
  // By its value: a run's own settings name every one.
  if (config.speed_kmh() != DvrptwConfig::default_instance().speed_kmh()) {
    options.speed_kmh = config.speed_kmh();
  }
  return ReadProblem(UserPath(config.instance()), options);
}

int64_t LostPenalty(int64_t round_trips, int customers) {
  return std::llround(kLostRoundTrips * static_cast<double>(round_trips) / customers);
}

OfferSource::OfferSource(const DvrptwConfig& config)
    : customers_(config.num_customers()), types_(config.type_split()) {
  RefuseUnusedSettings(config);
  fleet_ = FleetOf(config, kCapacity, kTicksPerUnit);
  if (!config.instance().empty()) {
    file_ = ReadInstance(config);
  } else if (fleet_.capacity < kMostDemand) {
    throw UsageError("env.dvrptw.capacity: ", fleet_.capacity,
                     " is less than a customer may demand; choose ", kMostDemand,
                     " at least, or auto");
  }
}

Problem OfferSource::Generate(Rng& rng) const {
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
      times[i * places + j] = Distance(problem.points[i], problem.points[j]);
    }
  }
  CloseTriangles(static_cast<int>(places), &times);
  problem.travel = TravelMatrix(static_cast<int>(places), std::move(times));
  return problem;
}

std::vector<OfferCustomer> OfferSource::Draw(const EpisodeKey& key, Problem* stops) const {
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  Rng rng(env_seed, RngPurpose::kEpisode, key.episode);
  *stops = file_ ? *file_ : Generate(rng);
  std::vector<OfferCustomer> customers(stops->requests.size());
  for (size_t i = 0; i < customers.size(); ++i) {
    customers[i].stop = stops->requests[i].pickup;
  }
  rng.Shuffle(std::span(customers));
  customers.resize(customers_);
  DrawAnswers(customers, rng);
  return customers;
}

void OfferSource::DrawAnswers(std::span<OfferCustomer> customers, Rng& rng) const {
  for (OfferCustomer& customer : customers) {
    customer.type = DrawType(types_, rng);
    customer.personal_slot = static_cast<int>(rng.Below(kSlots));
    customer.taste = rng.Uniform();
  }
}

void OfferSource::DrawFuture(const Problem& stops, std::span<const OfferCustomer> seen, Rng& rng,
                             OfferFuture& future) const {
  std::vector<uint8_t> has_come(stops.stops.size());
  for (const OfferCustomer& customer : seen) has_come[customer.stop] = 1;
  future.customers.clear();
  for (const Request& request : stops.requests) {
    if (has_come[request.pickup] == 0) {
      future.customers.push_back({.stop = request.pickup});
    }
  }
  rng.Shuffle(std::span(future.customers));
  future.customers.resize(static_cast<size_t>(customers_) - seen.size());
  DrawAnswers(future.customers, rng);
  future.stops = stops.stops;
  future.travel = stops.travel.times();
  if (!file_) Replace(stops, rng, future);
  future.lost_penalty = LostPenalty(RoundTrips(stops, seen, future), customers_);
}

void OfferSource::Replace(const Problem& stops, Rng& rng, OfferFuture& future) const {
  const auto places = stops.points.size();
  future.points = stops.points;
  future.drawn_travel.assign(future.travel.begin(), future.travel.end());
  for (const OfferCustomer& customer : future.customers) {
    Stop& stop = future.stops[customer.stop];
    stop.load = DrawCustomer(rng, future.points[stop.place]);
  }
  for (const OfferCustomer& customer : future.customers) {
    const size_t here = future.stops[customer.stop].place;
    for (size_t there = 0; there < places; ++there) {
      const Ticks way = Distance(future.points[here], future.points[there]);
      future.drawn_travel[here * places + there] = way;
      future.drawn_travel[there * places + here] = way;
    }
  }
  future.travel = future.drawn_travel;
}

}  // namespace dray
