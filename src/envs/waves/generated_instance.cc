#include "src/envs/waves/generated_instance.h"

#include <cmath>
#include <utility>

#include "src/envs/waves/random_streams.h"

namespace dray::waves {
namespace {

constexpr double kAcross_s = 3600;  // drive from one side to the other
constexpr double kStart_s = 60;     // every drive takes at least this long
constexpr double kTown = 0.3;       // side of the town, as a share of the region's
constexpr double kInTown = 0.5;     // share of customers in the town
constexpr double kWide = 0.25;      // share of customers who are there most of the day
constexpr Ticks kQuarter_s = 900;

double Drive_s(const Point& from, const Point& to) {
  return kStart_s + kAcross_s * Distance(from, to);
}

Point DrawPoint(Rng& rng) {
  const double side = rng.Uniform() < kInTown ? kTown : 1.0;
  const double x = rng.Uniform(-side / 2, side / 2);
  const double y = rng.Uniform(-side / 2, side / 2);
  return {.x = x, .y = y};
}

Stop DrawCustomer(int place, Rng& rng) {
  Stop stop{.place = place};
  stop.service = 60 * (2 + static_cast<Ticks>(rng.Below(9)));
  stop.load = 5 + static_cast<int>(rng.Below(21));
  if (rng.Uniform() < kWide) {
    stop.opens = kEpoch_s;
    stop.closes = 9 * kEpoch_s;
  } else {
    stop.opens = kEpoch_s + kQuarter_s * static_cast<Ticks>(rng.Below(28));
    stop.closes = stop.opens + kEpoch_s + kQuarter_s * static_cast<Ticks>(rng.Below(9));
  }
  return stop;
}

}  // namespace

Instance GenerateInstance(uint64_t seed, int customers) {
  Rng rng(seed, kInstanceStream, 0);
  Instance instance;
  instance.name = "generated";
  instance.depot_closes = 13 * kEpoch_s;
  instance.capacity = 150;
  instance.points.push_back({.x = rng.Uniform(-0.3, 0.3), .y = rng.Uniform(-0.3, 0.3)});
  for (int place = 1; place <= customers; ++place) {
    instance.points.push_back(DrawPoint(rng));
    instance.customers.push_back(DrawCustomer(place, rng));
  }
  std::vector<Ticks> times;
  for (const Point& from : instance.points) {
    for (const Point& to : instance.points) {
      const double drive_s = &from == &to ? 0 : Drive_s(from, to) * rng.Uniform(0.95, 1.05);
      times.push_back(static_cast<Ticks>(std::lround(drive_s)));
    }
  }
  instance.travel = TravelMatrix(customers + 1, std::move(times));
  SetEpochs(instance);
  return instance;
}

}  // namespace dray::waves
