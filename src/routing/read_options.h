#pragma once

#include <optional>
#include <string>

namespace dray {

// How the numbers of a file (distances, its own matrix, times) become ticks.
enum class Rounding {
  // The custom of the format: truncated after one decimal. CSV, which has no custom, is rounded to
  // the nearest tick of a size that tells the file's distances apart (tick_size.h).
  kAuto,
  // Truncated after one decimal, ticks of 1/10: the custom of the published Solomon optima.
  kTrunc01,
  // Rounded to the nearest 1/1000: double precision as far as anyone reports it. Costs of whole
  // plans are within (stops + vehicles) / 2000 of the unrounded ones.
  kExact,
  // Rounded to the nearest whole unit: the custom of CVRPLIB's best-known values.
  kNearest,
};

struct ReadOptions {
  Rounding rounding = Rounding::kAuto;
  // Override the file's values. A CSV file has neither: capacity must be given, and without
  // vehicles there is one for each customer.
  std::optional<int> capacity;
  std::optional<int> vehicles;
  // Speed along great circles, for a CSV file with lat and lon; an Error with any other file.
  std::optional<double> speed_kmh;
  // File of travel times (travel_minutes.h) between the rows of a CSV file, instead of distances.
  std::string travel;
};

}  // namespace dray
