#include "src/envs/dvrptw/riders.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/envs/dvrptw/random_streams.h"

namespace dray::dvrptw {
namespace {

constexpr int kFirstHour = 6;
constexpr Ticks kWindow = 30 * kTicksPerMinute;
constexpr double kAnchorTrips = 0.7;

// Pickups by hour of the day from kFirstHour on, counted in real trips.
constexpr std::array<uint32_t, 14> kHourWeights = {82,  118, 108, 128, 130, 125, 85,
                                                   113, 117, 87,  79,  125, 133, 76};

int DrawHour(Rng& rng) {
  static_assert(kHourWeights.size() + kFirstHour == 20);
  constexpr uint32_t total = std::accumulate(kHourWeights.begin(), kHourWeights.end(), 0u);
  uint32_t left = rng.Below(total);
  int hour = 0;
  while (left >= kHourWeights[hour]) left -= kHourWeights[hour++];
  return kFirstHour + hour;
}

// Draws a place other than `other`, uniformly.
int DrawOtherPlace(int places, int other, Rng& rng) {
  const int place = rng.Below(places - 1);
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
  const int half_hour = rng.Below(2);
  const Ticks start = (hour * 60 + half_hour * 30) * kTicksPerMinute;
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
      anchors[i] = rng.Below(places);
    } while (std::ranges::find(known, anchors[i]) != known.end());
  }
  return anchors;
}

// Returns types of `count` riders in the surveyed proportions, by largest remainder, in random
// order.
std::vector<Flexibility> SurveyedTypes(int count, uint64_t seed) {
  std::array<int, kFlexibilityTypes> counts{};
  std::array<int, kFlexibilityTypes> by_remainder{};
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    counts[type] = count * delivery::kSurveyed[type] / delivery::kSurveyedRiders;
    by_remainder[type] = type;
  }
  std::ranges::stable_sort(by_remainder, std::greater(), [count](int type) {
    return count * delivery::kSurveyed[type] % delivery::kSurveyedRiders;
  });
  const int given = std::accumulate(counts.begin(), counts.end(), 0);
  for (int i = 0; i < count - given; ++i) ++counts[by_remainder[i]];

  std::vector<Flexibility> types;
  for (const Flexibility type : delivery::kEveryFlexibility) {
    types.insert(types.end(), counts[Index(type)], type);
  }
  Rng rng(seed, kRidersStream, 0);
  rng.Shuffle(std::span(types));
  return types;
}

}  // namespace

std::vector<Rider> GenerateRiders(const City& city, int count, delivery::TypeSplit split,
                                  uint64_t seed) {
  DRAY_CHECK_GE(city.travel.places(), kAnchors);
  std::vector<Flexibility> surveyed;
  if (split == delivery::SURVEYED) surveyed = SurveyedTypes(count, seed);
  std::vector<Rider> riders(count);
  for (size_t i = 0; i < riders.size(); ++i) {
    Rng rng(seed, kRidersStream, i + 1);
    Rider& rider = riders[i];
    const Flexibility uniform = delivery::DrawUniformType(rng);
    rider.type = surveyed.empty() ? uniform : surveyed[i];
    rider.anchors = DrawAnchors(city.travel.places(), rng);
    rider.pool.reserve(kPoolTrips);
    for (int k = 0; k < kPoolTrips; ++k) {
      rider.pool.push_back(DrawTrip(city, rider.anchors, rng));
      rider.pool.back().rider = i;
    }
  }
  return riders;
}

std::vector<Rider> RidersFromTrips(const TripTable& table, uint64_t seed) {
  std::vector<Rider> riders(table.riders.size());
  for (size_t i = 0; i < riders.size(); ++i) {
    Rng rng(seed, kRidersStream, i + 1);
    const int told = table.flexibility[i];
    riders[i].type = told >= 0 ? delivery::kEveryFlexibility[told] : delivery::DrawUniformType(rng);
  }
  for (const Trip& trip : table.trips) {
    riders[trip.rider].pool.push_back(trip);
  }
  return riders;
}

}  // namespace dray::dvrptw
