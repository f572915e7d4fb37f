#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/routing/trips.h"

namespace dray {

// What a rider is willing to have shifted.
enum class Flexibility : uint8_t { kLateDropoff = 0, kEarlyPickup = 1, kNone = 2, kBoth = 3 };
inline constexpr int kFlexibilityTypes = 4;

inline bool operator==(const Trip& a, const Trip& b) {
  const auto values = [](const Trip& t) {
    return std::tuple(t.rider, t.origin, t.destination, t.pickup_early, t.pickup_late,
                      t.dropoff_early, t.dropoff_late);
  };
  return values(a) == values(b);
}

inline constexpr int kAnchors = 3;
inline constexpr int kPoolTrips = 52;

struct Rider {
  Flexibility type = Flexibility::kNone;  // hidden from the policy
  std::array<int, kAnchors> anchors{};    // home, work, ...: distinct places
  std::vector<Trip> pool;                 // the trips this rider makes
};

// How often somebody is of each type.
using TypeShares = std::array<double, kFlexibilityTypes>;
TypeShares SharesOf(DvrptwConfig::TypeSplit split);
// One by these shares, apart from all others.
Flexibility DrawType(DvrptwConfig::TypeSplit split, Rng& rng);

// Riders of a city. Rider i is the same for any count when types are uniform.
std::vector<Rider> GenerateRiders(const City& city, int count, DvrptwConfig::TypeSplit split,
                                  uint64_t seed);

// The riders of a user's file, who are anchored nowhere. A type that the file does not tell is
// drawn uniformly.
std::vector<Rider> RidersFromTrips(const TripTable& table, uint64_t seed);

// A seed for riders that nobody meets who trains with `rider_seed`.
constexpr uint64_t HeldOutSeed(uint64_t rider_seed) { return ~rider_seed; }

}  // namespace dray
