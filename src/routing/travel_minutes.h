#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/routing/problem.h"
#include "src/routing/text_file.h"

namespace dray {

// Travel times of a user's own city: minutes in the file, ticks of 1/10 minute (rounded to the
// nearest) here.

inline constexpr int kTicksPerMinute = 10;
inline double Minutes(int64_t ticks) { return static_cast<double>(ticks) / kTicksPerMinute; }

inline constexpr size_t kMostTravelPlaces = 2'000;  // the closure takes cubic time

struct TravelTable {
  TravelMatrix travel;
  // One-line warning if a detour was faster than the direct way, whose time is now that of the
  // detour; else empty.
  std::string warning;
};

// Reads travel_min.csv: one line per place with one number per place, 0 from a place to itself, no
// column names. The result satisfies the triangle inequality.
TravelTable ReadTravelMinutes(const std::string& path);
TravelTable ParseTravelMinutes(const std::string& path, std::string text);

// Returns the minutes of such a file as written, row by row.
std::vector<double> ReadSquare(const TextFile& file, size_t most_places);

// Rounds minutes, given row by row, and enforces the triangle inequality. Throws an Error that
// begins with `where` if most of them vanish by rounding.
TravelMatrix RoundedTravel(const std::string& where, const std::vector<double>& minutes);

// Lowers every time to that of the fastest way (Floyd-Warshall) and returns how many were lowered.
// Not for benchmark files: published values refer to their rounded distances.
int CloseTriangles(int places, std::vector<Ticks>* times);

}  // namespace dray
