#pragma once

#include <optional>
#include <string>

namespace dray {

// How numbers of a file become ticks; it holds for distances, a file's own matrix and times alike.
enum class Rounding {
  // As is usual for the format: cut off after one decimal, and for CSV, which has no usage, to the
  // nearest tick of a size that tells the file's distances apart (tick_size.h).
  kAuto,
  // Cut off after one decimal, ticks of 1/10: the usage of the published Solomon optima.
  kTrunc01,
  // Rounded to the nearest 1/1000: double precision as far as anyone reports it. Costs of whole
  // plans are within (stops + vehicles) / 2000 of the unrounded ones.
  kExact,
  // Rounded to the nearest whole unit: the usage of CVRPLIB's best-known values.
  kNearest,
};

struct ReadOptions {
  Rounding rounding = Rounding::kAuto;
  // In place of what the file says. A CSV file says neither: capacity must be given, and without
  // vehicles there is one for each customer.
  std::optional<int> capacity;
  std::optional<int> vehicles;
  // Of vehicles along great circles, for a CSV file with lat and lon; an Error with any other.
  std::optional<double> speed_kmh;
  // A file of travel times (travel_minutes.h) between the rows of a CSV file, in place of
  // distances.
  std::string travel;
};

}  // namespace dray
