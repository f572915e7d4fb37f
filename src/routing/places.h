#pragma once

#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// The places of a user's own city.
struct PlaceTable {
  std::string path;
  std::string coordinates;         // the columns that they come from, for messages
  std::vector<std::string> names;  // in the order of the file
  std::vector<Point> points;       // on a flat map, in kilometres
  std::vector<double> km;  // from place to place, row by row: great circles or straight lines
};

// places.csv: place (its name), and lat and lon in degrees, or x and y in kilometres. Errors name
// file, line and field.
PlaceTable ReadPlaces(const std::string& path);
PlaceTable ParsePlaces(const std::string& path, std::string text);

// Travel times at a speed along these ways, as RoundedTravel has them.
TravelMatrix TravelAtSpeed(const PlaceTable& places, double speed_kmh);

}  // namespace dray
