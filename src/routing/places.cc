#include "src/routing/places.h"

#include <cmath>
#include <map>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/routing/csv_table.h"
#include "src/routing/great_circle.h"
#include "src/routing/travel_minutes.h"

namespace dray {
namespace {

void CheckNames(const TextFile& file, const CsvTable& table, const PlaceTable& places) {
  const std::string& column = table.NameOf("place");
  if (table.rows() < 2 || table.rows() > kMostTravelPlaces) {
    throw file.Wrong(file.end(), column, "expected from 2 to ", kMostTravelPlaces,
                     " places, found ", table.rows(), "; write a line for each");
  }
  std::map<std::string, int> line_of;
  for (size_t row = 0; row < table.rows(); ++row) {
    const std::string& name = places.names[row];
    if (name.empty()) throw file.Wrong(table.line(row), column, "is empty; name the place");
    const auto [first, is_new] = line_of.emplace(name, table.line(row));
    if (is_new) continue;
    throw file.Wrong(table.line(row), column, Quoted(name), " appears twice, first in line ",
                     first->second, "; give every place a unique name");
  }
}

void MeasureGlobe(const CsvTable& table, PlaceTable* places) {
  const std::vector<LatLon> globe = table.Globe();
  const GreatCircles ways(globe);
  for (size_t from = 0; from < globe.size(); ++from)
    for (size_t to = 0; to < globe.size(); ++to) places->km.push_back(ways.Km(from, to));
  places->points = FlatMap(globe);
}

void MeasurePlane(const CsvTable& table, PlaceTable* places) {
  for (size_t row = 0; row < table.rows(); ++row) {
    places->points.push_back({table.Number(row, "x"), table.Number(row, "y")});
  }
  for (const Point& from : places->points) {
    for (const Point& to : places->points) {
      const double x = from.x - to.x, y = from.y - to.y;
      places->km.push_back(std::sqrt(x * x + y * y));
    }
  }
}

}  // namespace

PlaceTable ReadPlaces(const std::string& path) { return ParsePlaces(path, ReadFile(path)); }

PlaceTable ParsePlaces(const std::string& path, std::string text) {
  const TextFile file(path, std::move(text));
  const CsvColumn name = {.name = "place", .aliases = {"name", "id"}};
  const bool flat = HeaderNames(file, {.name = "x"}) || HeaderNames(file, {.name = "y"});
  const CsvTable table(file, flat ? std::vector<CsvColumn>{name, {.name = "x"}, {.name = "y"}}
                                  : std::vector<CsvColumn>{name, kLatColumn, kLonColumn});
  PlaceTable places;
  places.path = path;
  places.coordinates = flat ? "x, y" : "lat, lon";
  for (size_t row = 0; row < table.rows(); ++row) places.names.push_back(table.Text(row, "place"));
  CheckNames(file, table, places);
  flat ? MeasurePlane(table, &places) : MeasureGlobe(table, &places);
  return places;
}

TravelMatrix TravelAtSpeed(const PlaceTable& places, double speed_kmh) {
  std::vector<double> minutes;
  for (const double km : places.km) minutes.push_back(km * 60 / speed_kmh);
  const std::string where = Cat(places.path, ": ", places.coordinates);
  for (size_t i = 0; i < minutes.size(); ++i) {
    if (minutes[i] * kTicksPerMinute <= kMaxTicks) continue;
    throw UsageError(where, ": two places are ", places.km[i], " km apart, too far for ", speed_kmh,
                     " km/h; give degrees, or x, y in kilometres");
  }
  return RoundedTravel(where, minutes);
}

}  // namespace dray
