#include "tests/oracle/random_problems.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dray {
namespace {

constexpr Ticks kDay = 4000;

int Draw(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.Below(static_cast<uint32_t>(high - low + 1)));
}

TravelMatrix RandomTravel(int places, bool metric, Rng& rng) {
  std::vector<std::pair<double, double>> points(places);
  for (auto& [x, y] : points) {
    x = rng.Uniform(0, 400);
    y = rng.Uniform(0, 400);
  }
  std::vector<Ticks> times(static_cast<size_t>(places) * places);
  for (int i = 0; i < places; ++i) {
    for (int j = 0; j < places; ++j) {
      if (i == j) continue;
      const double distance =
          std::hypot(points[i].first - points[j].first, points[i].second - points[j].second);
      const double stretch = metric ? 1.0 : rng.Uniform(0.5, 1.5);
      times[static_cast<size_t>(i) * places + j] =
          static_cast<Ticks>(std::ceil(distance * stretch));
    }
  }
  return {places, std::move(times)};
}

// A window that holds a moment.
void OpenAround(Stop& stop, Ticks moment, double widest, Rng& rng) {
  const Ticks width = static_cast<Ticks>(rng.Uniform(0, widest) * kDay);
  stop.opens = std::max<Ticks>(0, moment - static_cast<Ticks>(rng.Uniform() * width));
  stop.closes = std::max(moment, stop.opens + width);
}

}  // namespace

Problem RandomProblem(const RandomProblemOptions& options, Rng& rng) {
  Problem problem;
  problem.name = "random";
  const int places = Draw(rng, 2, 2 * options.requests + 1);
  problem.travel = RandomTravel(places, options.metric, rng);
  problem.depot = Draw(rng, 0, places - 1);
  problem.depot_opens = Draw(rng, 0, 300);
  problem.depot_closes = kDay * 2;
  problem.fleet = {options.capacity, options.free_vehicles, options.extra_vehicle_cost,
                   options.hard_fleet};
  const int dearest_service = rng.Below(2) ? 0 : 60;
  for (int i = 0; i < options.requests; ++i) {
    const int first = static_cast<int>(problem.stops.size());
    const bool paired = rng.Uniform() < options.pair_share;
    Stop pickup;
    pickup.place = Draw(rng, 0, places - 1);
    pickup.service = Draw(rng, 0, dearest_service);
    pickup.load = Draw(rng, paired ? 1 : 0, std::max(1, options.capacity / 2));
    const Ticks reached = problem.depot_opens + problem.travel(problem.depot, pickup.place);
    const Ticks start = reached + Draw(rng, 0, kDay - 900);
    OpenAround(pickup, start, options.widest_window, rng);
    problem.stops.push_back(pickup);
    problem.requests.push_back({first, paired ? first + 1 : -1});
    if (!paired) continue;
    Stop delivery;
    delivery.place = Draw(rng, 0, places - 1);
    delivery.service = Draw(rng, 0, dearest_service);
    delivery.load = -pickup.load;
    const Ticks there = start + pickup.service + problem.travel(pickup.place, delivery.place);
    OpenAround(delivery, there, options.widest_window, rng);
    problem.stops.push_back(delivery);
  }
  return problem;
}

Problem AnyRandomProblem(int most_requests, Rng& rng) {
  RandomProblemOptions options;
  options.requests = Draw(rng, 1, most_requests);
  const double shares[] = {0.0, 0.5, 1.0};
  options.pair_share = shares[rng.Below(3)];
  const double widths[] = {0.0, 0.05, 0.3, 1.0};
  options.widest_window = widths[rng.Below(4)];
  options.metric = rng.Below(4) != 0;
  options.hard_fleet = rng.Below(2) == 0;
  options.free_vehicles = Draw(rng, 1, 4);
  options.extra_vehicle_cost = Draw(rng, 0, 1000);
  options.capacity = Draw(rng, 1, 6);
  return RandomProblem(options, rng);
}

Problem RandomDeliveryProblem(int riders, Rng& rng) {
  constexpr int kPlaces = 207;
  Problem problem;
  problem.name = "deliveries";
  std::vector<std::pair<double, double>> points(kPlaces);
  for (auto& [x, y] : points) {
    x = rng.Uniform();
    y = rng.Uniform();
  }
  std::vector<Ticks> times(kPlaces * kPlaces);
  for (int i = 0; i < kPlaces; ++i) {
    if (std::hypot(points[i].first - 0.5, points[i].second - 0.5) <
        std::hypot(points[problem.depot].first - 0.5, points[problem.depot].second - 0.5))
      problem.depot = i;
    for (int j = 0; j < kPlaces; ++j) {
      const double distance =
          std::hypot(points[i].first - points[j].first, points[i].second - points[j].second);
      if (i != j) times[i * kPlaces + j] = static_cast<Ticks>(std::ceil(15 + 360 * distance));
    }
  }
  problem.travel = {kPlaces, std::move(times)};
  problem.depot_closes = 14400;
  problem.fleet = {4, 5, 500, false};
  const int hours[] = {82, 118, 108, 128, 130, 125, 85, 113, 117, 87, 79, 125, 133, 76};
  for (int rider = 0; rider < riders; ++rider) {
    const int origin = Draw(rng, 0, kPlaces - 1);
    int target = Draw(rng, 0, kPlaces - 1);
    if (target == origin) target = (target + 1) % kPlaces;
    int draw = Draw(rng, 0, 1505);
    int hour = 0;
    while (draw >= hours[hour]) draw -= hours[hour++];
    const Ticks opens = (6 + hour) * 600 + Draw(rng, 0, 1) * 300;
    const Ticks ride = problem.travel(origin, target);
    problem.stops.push_back({origin, opens, opens + 300, 0, 1});
    problem.stops.push_back({target, opens + ride, opens + 300 + ride, 0, -1});
    problem.requests.push_back({2 * rider, 2 * rider + 1});
  }
  return problem;
}

}  // namespace dray
