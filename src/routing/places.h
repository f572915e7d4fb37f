#pragma once

#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// The places of a user's own city.
struct PlaceTable {
  std::string path;
  std::string coordinates;         // names of the coordinate columns, for messages
  std::vector<std::string> names;  // file order
  std::vector<Point> points;       // kilometres on a flat map
  std::vector<double> km;          // distances row by row: great circles or straight lines
};

// Reads places.csv with columns place (the name), and lat and lon in degrees or x and y in
// kilometres. Errors name file, line and field.
PlaceTable ReadPlaces(const std::string& path);
PlaceTable ParsePlaces(const std::string& path, std::string text);

// Computes travel times at a constant speed over these distances, rounded by RoundedTravel.
TravelMatrix TravelAtSpeed(const PlaceTable& places, double speed_kmh);

}  // namespace dray
