#include "src/envs/dvrptw/riders.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/envs/dvrptw/random_streams.h"

namespace dray {
namespace {

constexpr int kFirstHour = 6;
constexpr Ticks kWindow = 30 * kTicksPerMinute;
constexpr double kAnchorTrips = 0.7;

// Pickups by hour of the day, from kFirstHour on, and types, as counted in real trips.
constexpr std::array<uint32_t, 14> kHourWeights = {82,  118, 108, 128, 130, 125, 85,
                                                   113, 117, 87,  79,  125, 133, 76};
constexpr std::array<int, kFlexibilityTypes> kSurveyed = {8, 13, 6, 3};
constexpr int kSurveyedRiders = 30;

int DrawHour(Rng& rng) {
  static_assert(kHourWeights.size() + kFirstHour == 20);
  constexpr uint32_t total = std::accumulate(kHourWeights.begin(), kHourWeights.end(), 0u);
  uint32_t left = rng.Below(total);
  int hour = 0;
  while (left >= kHourWeights[hour]) left -= kHourWeights[hour++];
  return kFirstHour + hour;
}

// Uniform over the places other than `other`.
int DrawOtherPlace(int places, int other, Rng& rng) {
  const int place = rng.Below(static_cast<uint32_t>(places - 1));
  return place < other ? place : place + 1;
}

Trip DrawTrip(const City& city, const std::array<int, kAnchors>& anchors, Rng& rng) {
  Trip trip;
  const uint32_t from = rng.Below(kAnchors);
  trip.origin = anchors[from];
  if (rng.Uniform() < kAnchorTrips) {
    trip.destination = anchors[(from + 1 + rng.Below(kAnchors - 1)) % kAnchors];
  } else {
    trip.destination = DrawOtherPlace(city.travel.places(), trip.origin, rng);
    if (rng.Below(2) == 1) std::swap(trip.origin, trip.destination);
  }
  const int hour = DrawHour(rng);
  const Ticks start = (hour * 60 + 30 * static_cast<int>(rng.Below(2))) * kTicksPerMinute;
  const Ticks ride = city.travel(trip.origin, trip.destination);
  trip.pickup_early = start;
  trip.pickup_late = start + kWindow;
  trip.dropoff_early = start + ride;
  trip.dropoff_late = start + kWindow + ride;
  return trip;
}

std::array<int, kAnchors> DrawAnchors(int places, Rng& rng) {
  std::array<int, kAnchors> anchors{};
  for (int i = 0; i < kAnchors; ++i) {
    const auto known = std::span(anchors).first(i);
    do {
      anchors[i] = static_cast<int>(rng.Below(static_cast<uint32_t>(places)));
    } while (std::ranges::find(known, anchors[i]) != known.end());
  }
  return anchors;
}

// The surveyed shares of `count` riders, by largest remainder, in random order.
std::vector<Flexibility> SurveyedTypes(int count, uint64_t seed) {
  std::array<int, kFlexibilityTypes> counts{};
  std::array<int, kFlexibilityTypes> by_remainder{};
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    counts[type] = count * kSurveyed[type] / kSurveyedRiders;
    by_remainder[type] = type;
  }
  std::ranges::stable_sort(by_remainder, std::greater(),
                           [count](int type) { return count * kSurveyed[type] % kSurveyedRiders; });
  const int given = std::accumulate(counts.begin(), counts.end(), 0);
  for (int i = 0; i < count - given; ++i) ++counts[by_remainder[i]];

  std::vector<Flexibility> types;
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    types.insert(types.end(), static_cast<size_t>(counts[type]), static_cast<Flexibility>(type));
  }
  Rng rng(seed, kRidersStream, 0);
  rng.Shuffle(std::span(types));
  return types;
}

}  // namespace

Flexibility DrawType(DvrptwConfig::TypeSplit split, Rng& rng) {
  if (split == DvrptwConfig::UNIFORM) return static_cast<Flexibility>(rng.Below(kFlexibilityTypes));
  int left = rng.Below(kSurveyedRiders);
  size_t type = 0;
  while (left >= kSurveyed[type]) left -= kSurveyed[type++];
  return static_cast<Flexibility>(type);
}

TypeShares SharesOf(DvrptwConfig::TypeSplit split) {
  TypeShares shares;
  shares.fill(1.0 / kFlexibilityTypes);
  if (split == DvrptwConfig::SURVEYED) {
    std::ranges::transform(kSurveyed, shares.begin(),
                           [](int count) { return static_cast<double>(count) / kSurveyedRiders; });
  }
  return shares;
}

std::vector<Rider> GenerateRiders(const City& city, int count, DvrptwConfig::TypeSplit split,
                                  uint64_t seed) {
  DRAY_CHECK_GE(city.travel.places(), kAnchors);
  std::vector<Flexibility> surveyed;
  if (split == DvrptwConfig::SURVEYED) surveyed = SurveyedTypes(count, seed);
  std::vector<Rider> riders(count);
  for (size_t i = 0; i < riders.size(); ++i) {
    Rng rng(seed, kRidersStream, i + 1);
    Rider& rider = riders[i];
    const auto uniform = static_cast<Flexibility>(rng.Below(kFlexibilityTypes));
    rider.type = surveyed.empty() ? uniform : surveyed[i];
    rider.anchors = DrawAnchors(city.travel.places(), rng);
    rider.pool.reserve(kPoolTrips);
    for (int k = 0; k < kPoolTrips; ++k) {
      rider.pool.push_back(DrawTrip(city, rider.anchors, rng));
      rider.pool.back().rider = static_cast<int>(i);
    }
  }
  return riders;
}

std::vector<Rider> RidersFromTrips(const TripTable& table, uint64_t seed) {
  std::vector<Rider> riders(table.riders.size());
  for (size_t i = 0; i < riders.size(); ++i) {
    const auto drawn = Rng(seed, kRidersStream, i + 1).Below(kFlexibilityTypes);
    const int told = table.flexibility[i];
    riders[i].type = static_cast<Flexibility>(told >= 0 ? static_cast<uint32_t>(told) : drawn);
  }
  for (const Trip& trip : table.trips) {
    riders[trip.rider].pool.push_back(trip);
  }
  return riders;
}

}  // namespace dray
