#include "src/envs/dvrptw/oracle_training/training_problems.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/base/parallel_for.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/random_streams.h"

namespace dray::dvrptw {
namespace {

constexpr int kPlaces = 207;
constexpr int kFewestRiders = 60;  // of a city

int DrawBetween(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.Below(static_cast<uint32_t>(high - low + 1)));
}

// How the riders of a problem were asked to shift.
enum class Asked { kNot, kWhatTheyAccept, kAnything };

Trip DrawTrip(const Rider& rider, Asked asked, Rng& rng) {
  const Trip& trip = rider.pool[rng.Below(rider.pool.size())];
  if (asked == Asked::kNot) return trip;
  const int action = DrawBetween(rng, 0, kShiftActions - 1);
  const bool shifts = asked == Asked::kAnything || Accepts(rider.type, action);
  return Shifted(trip, shifts ? action : kNoShift);
}

void AddTrip(const Trip& trip, Problem& problem) {
  const int first = problem.stops.size();
  problem.stops.push_back({.place = trip.origin,
                           .opens = trip.pickup_early,
                           .closes = trip.pickup_late,
                           .service = 0,
                           .load = 1});
  problem.stops.push_back({.place = trip.destination,
                           .opens = trip.dropoff_early,
                           .closes = trip.dropoff_late,
                           .service = 0,
                           .load = -1});
  problem.requests.push_back({first, first + 1});
}

Fleet DrawFleet(int requests, Rng& rng) {
  return {.capacity = DrawBetween(rng, 1, 8),
          .free_vehicles = DrawBetween(rng, 0, requests),
          .extra_vehicle_cost = DrawBetween(rng, 0, 100) * kTicksPerMinute,
          .hard = false};
}

// `count` different numbers below `below`, in random order.
std::vector<int> DrawDifferent(int count, int below, Rng& rng) {
  std::vector<int> all(below);
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < count; ++i) std::swap(all[i], all[DrawBetween(rng, i, below - 1)]);
  all.resize(count);
  return all;
}

}  // namespace

TrainingProblems::TrainingProblems(const Options& options, int threads)
    : options_(options), towns_(options.cities) {
  Rng rng(options.seed, kProblemsStream, 0);
  std::vector<uint64_t> seeds(towns_.size());
  for (uint64_t& seed : seeds) seed = rng.Next64();
  ParallelFor(threads, towns_.size(), [&](size_t i, int) {
    towns_[i].city = GenerateCity(seeds[i], kPlaces, /*asymmetric=*/i % 4 == 3);
    towns_[i].riders =
        GenerateRiders(towns_[i].city, std::max(options.most_requests, kFewestRiders),
                       delivery::UNIFORM, seeds[i]);
  });
}

Problem TrainingProblems::Draw(int requests, Rng& rng) const {
  if (rng.Uniform() < options_.single_share) return DrawSingles(requests, rng);
  Problem problem = DrawDelivery(requests, rng);
  if (rng.Uniform() < options_.variety) problem.fleet = DrawFleet(requests, rng);
  return problem;
}

Problem TrainingProblems::DrawDelivery(int requests, Rng& rng) const {
  DRAY_CHECK_LE(requests, options_.most_requests);
  const Town& town = towns_[rng.Below(towns_.size())];
  Problem problem;
  problem.name = "delivery";
  problem.travel = town.city.travel;
  problem.depot = town.city.depot;
  problem.depot_closes = kTicksPerDay;
  problem.fleet = {
      .capacity = 4, .free_vehicles = 5, .extra_vehicle_cost = 50 * kTicksPerMinute, .hard = false};
  const auto asked = static_cast<Asked>(rng.Below(3));
  for (const int rider : DrawDifferent(requests, town.riders.size(), rng)) {
    AddTrip(DrawTrip(town.riders[rider], asked, rng), problem);
  }
  return problem;
}

// In Solomon's units times 10: a square of 1000, windows about moments at which the stop can be
// reached and left in time.
Problem TrainingProblems::DrawSingles(int requests, Rng& rng) {
  Problem problem;
  problem.name = "singles";
  std::vector<Point> points(static_cast<size_t>(requests) + 1);
  points[0] = {.x = 500, .y = 500};
  const int clusters = rng.Below(2) == 0 ? 0 : DrawBetween(rng, 1, 8);
  std::vector<Point> centers(clusters);
  for (Point& center : centers) center = {rng.Uniform(100, 900), rng.Uniform(100, 900)};
  for (size_t i = 1; i < points.size(); ++i) {
    points[i] = {rng.Uniform(0, 1000), rng.Uniform(0, 1000)};
    if (clusters == 0 || rng.Uniform() < 0.2) continue;
    const Point& center = centers[rng.Below(clusters)];
    points[i] = {center.x + 60 * rng.Normal(), center.y + 60 * rng.Normal()};
  }
  std::vector<Ticks> times;
  for (const Point& from : points) {
    for (const Point& to : points) times.push_back(static_cast<Ticks>(Distance(from, to)));
  }
  problem.travel = TravelMatrix(requests + 1, std::move(times));
  const Ticks service = rng.Below(3) == 0 ? 900 : 100;
  const auto horizon = static_cast<Ticks>(rng.Uniform(2300, 5000)) + service * 4;
  problem.depot_closes = horizon;
  problem.fleet = {.capacity = DrawBetween(rng, 80, 400),
                   .free_vehicles = requests,
                   .extra_vehicle_cost = 0,
                   .hard = false};
  const double windows = rng.Below(2) == 0 ? 1.0 : rng.Uniform(0.25, 1.0);
  const double widest = rng.Uniform(0.03, 0.5);
  for (int i = 0; i < requests; ++i) {
    const Ticks out = problem.travel(0, i + 1);
    const Ticks latest = horizon - service - problem.travel(i + 1, 0);
    Stop stop{.place = i + 1,
              .opens = 0,
              .closes = latest,
              .service = service,
              .load = DrawBetween(rng, 1, 40)};
    if (rng.Uniform() < windows) {
      const double middle = rng.Uniform(out, latest);
      const double half = rng.Uniform(0.3, 1.0) * widest * horizon / 2;
      stop.opens = static_cast<Ticks>(std::max(0.0, middle - half));
      stop.closes =
          static_cast<Ticks>(std::min(double{static_cast<double>(latest)}, middle + half));
    }
    problem.stops.push_back(stop);
    problem.requests.push_back({i, -1});
  }
  return problem;
}

}  // namespace dray::dvrptw
