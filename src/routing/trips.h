#pragma once

#include <string>
#include <vector>

#include "src/routing/places.h"
#include "src/routing/problem.h"
#include "src/routing/travel_minutes.h"

namespace dray {

// Riders of a user's own for the delivery task: times of day in the file, ticks of 1/10 minute
// (rounded to the nearest) here.

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
  std::vector<int> lines;  // by trip, where it stands in the file
};

// trips.csv: rider, origin, destination, pickup_early, pickup_late, dropoff_early, dropoff_late
// (times in minutes or HH:MM; the names may end in _min) and optionally flexibility (0 to 3, or
// late_dropoff, early_pickup, none, both). Places go by their names where there are any, else by
// their rows in the matrix. Every trip can be ridden within its windows, and what is wrong is an
// Error that names file, line and field.
TripTable ReadTrips(const std::string& path, const TravelMatrix& travel,
                    const PlaceTable* places = nullptr);
TripTable ParseTrips(const std::string& path, std::string text, const TravelMatrix& travel,
                     const PlaceTable* places = nullptr);

// How many riders the file has, without a look at their trips.
int CountRiders(const std::string& path);

}  // namespace dray
