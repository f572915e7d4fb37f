#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A user's own city and riders for the delivery task: minutes in the files, ticks of 1/10 minute
// (rounded to the nearest) here.

inline constexpr int kTicksPerMinute = 10;
inline double Minutes(int64_t ticks) { return static_cast<double>(ticks) / kTicksPerMinute; }

// One ride that a rider asks for. Places are rows of the travel matrix, counted from 0.
struct Trip {
  int rider = 0;  // index into TripTable::riders
  int origin = 0;
  int destination = 0;
  Ticks pickup_early = 0;
  Ticks pickup_late = 0;
  Ticks dropoff_early = 0;
  Ticks dropoff_late = 0;
};

struct TripTable {
  std::vector<std::string> riders;  // as the file calls them, in order of appearance
  // By rider: 0 late dropoff, 1 early pickup, 2 none, 3 both; -1 when the file does not say.
  std::vector<int> flexibility;
  std::vector<Trip> trips;
};

// trips.csv: rider, origin, destination, pickup_early_min, pickup_late_min, dropoff_early_min,
// dropoff_late_min and optionally flexibility (0 to 3, or late_dropoff, early_pickup, none, both).
// Every trip can be ridden within its windows, and what is wrong is an Error that names file, line
// and field.
TripTable ReadTrips(const std::string& path, const TravelMatrix& travel);
TripTable ParseTrips(const std::string& path, std::string text, const TravelMatrix& travel);

struct TravelTable {
  TravelMatrix travel;
  // One line when a detour was quicker than the way straight there (now the time of the detour),
  // else empty.
  std::string warning;
};

// travel_min.csv: one line per place, one number per place in it, 0 from a place to itself, no
// column names. The triangle inequality holds in what is returned.
TravelTable ReadTravelMinutes(const std::string& path);
TravelTable ParseTravelMinutes(const std::string& path, std::string text);

// Lowers every time to that of the quickest way (Floyd and Warshall); how many were lowered. Not
// for benchmark files, whose rounded distances are what the published values are for.
int CloseTriangles(int places, std::vector<Ticks>* times);

}  // namespace dray
