#pragma once

#include <string>
#include <vector>

#include "src/routing/places.h"
#include "src/routing/problem.h"
#include "src/routing/travel_minutes.h"

namespace dray {

// Trips of a user's own riders for the delivery task: times of day in the file, ticks of 1/10
// minute (rounded to the nearest) here.

// One ride requested by a rider. Places are rows of the travel matrix, counted from 0.
struct Trip {
  int rider = 0;  // index into TripTable::riders
  int origin = 0;
  int destination = 0;
  Ticks pickup_early = 0;
  Ticks pickup_late = 0;
  Ticks dropoff_early = 0;
  Ticks dropoff_late = 0;

  bool operator==(const Trip&) const = default;
};

struct TripTable {
  std::vector<std::string> riders;  // names in the file, in order of appearance
  // Flexibility of each rider: 0 late dropoff, 1 early pickup, 2 none, 3 both; -1 if unknown.
  std::vector<int> flexibility;
  std::vector<Trip> trips;
  std::vector<int> lines;  // line of each trip in the file
};

// Reads trips.csv with columns rider, origin, destination, pickup_early, pickup_late,
// dropoff_early, dropoff_late (times in minutes or HH:MM; the names may end in _min) and optionally
// flexibility (0 to 3, or late_dropoff, early_pickup, none, both). Places are given by name if
// `places` has names, else by their row in the matrix. Every trip must be feasible within its
// windows. Errors name file, line and field.
TripTable ReadTrips(const std::string& path, const TravelMatrix& travel,
                    const PlaceTable* places = nullptr);
TripTable ParseTrips(const std::string& path, std::string text, const TravelMatrix& travel,
                     const PlaceTable* places = nullptr);

// Counts the riders in the file without checking their trips.
int CountRiders(const std::string& path);

}  // namespace dray
