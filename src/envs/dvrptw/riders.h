#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/envs/delivery/flexibility.h"
#include "src/envs/dvrptw/city.h"
#include "src/routing/trips.h"

namespace dray::dvrptw {

using delivery::Flexibility;
using delivery::kFlexibilityTypes;

inline constexpr int kAnchors = 3;
inline constexpr int kPoolTrips = 52;

struct Rider {
  Flexibility type = Flexibility::kNone;  // hidden from the policy
  std::array<int, kAnchors> anchors{};    // distinct places: home, work, ...
  std::vector<Trip> pool;                 // the trips this rider makes
};

// Generates the riders of a city. With uniform types, rider i is the same for any count.
std::vector<Rider> GenerateRiders(const City& city, int count, delivery::TypeSplit split,
                                  uint64_t seed);

// Makes the riders of a user's file, who have no anchors. Types that the file does not give are
// drawn uniformly.
std::vector<Rider> RidersFromTrips(const TripTable& table, uint64_t seed);

// Returns a seed for riders that no training with `rider_seed` meets.
constexpr uint64_t HeldOutSeed(uint64_t rider_seed) { return ~rider_seed; }

}  // namespace dray::dvrptw
