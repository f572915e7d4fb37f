#pragma once

#include <map>
#include <string>

#include "src/routing/csv_table.h"
#include "src/routing/places.h"
#include "src/routing/problem.h"

namespace dray {

// Finds the places that the rows of a table name: by the names of a file of places, or without one
// by the row of the travel matrix, counted from 0.
class PlaceFinder {
 public:
  // Keeps references. `places` may be null.
  PlaceFinder(const TravelMatrix& travel, const PlaceTable* places);

  // Returns the row and column of the travel matrix. An unknown place is an Error that names file,
  // line and field, and suggests the nearest name.
  int Find(const TextFile& file, const CsvTable& table, size_t row,
           const std::string& column) const;

 private:
  int FindNamed(const TextFile& file, const CsvTable& table, size_t row,
                const std::string& column) const;
  int FindNumbered(const TextFile& file, const CsvTable& table, size_t row,
                   const std::string& column) const;

  const TravelMatrix& travel_;
  const PlaceTable* places_;
  std::map<std::string, int> place_of_;
};

}  // namespace dray
