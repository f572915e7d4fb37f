#include "src/routing/place_finder.h"

#include "src/base/error.h"
#include "src/base/nearest_name.h"

namespace dray {

PlaceFinder::PlaceFinder(const TravelMatrix& travel, const PlaceTable* places)
    : travel_(travel), places_(places) {
  if (places == nullptr) return;
  for (size_t i = 0; i < places->names.size(); ++i) place_of_.emplace(places->names[i], i);
}

int PlaceFinder::Find(const TextFile& file, const CsvTable& table, size_t row,
                      const std::string& column) const {
  return places_ == nullptr ? FindNumbered(file, table, row, column)
                            : FindNamed(file, table, row, column);
}

int PlaceFinder::FindNamed(const TextFile& file, const CsvTable& table, size_t row,
                           const std::string& column) const {
  const std::string& name = table.Text(row, column);
  const auto found = place_of_.find(name);
  if (found != place_of_.end()) return found->second;
  const std::string near = NearestName(name, places_->names);
  throw file.Wrong(table.line(row), column, "there is no place ", Quoted(name), " in ",
                   places_->path, "; ",
                   near.empty() ? "add it there" : Cat("did you mean ", Quoted(near), "?"));
}

int PlaceFinder::FindNumbered(const TextFile& file, const CsvTable& table, size_t row,
                              const std::string& column) const {
  const int place = table.Whole(row, column);
  if (place < 0 || place >= travel_.places()) {
    throw file.Wrong(table.line(row), column, "there is no place ", place,
                     "; the travel matrix has ", travel_.places(), " places, counted from 0");
  }
  return place;
}

}  // namespace dray
