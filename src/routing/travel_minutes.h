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

// In ticks; an Error of this field when it is no time of a day or journey.
Ticks TicksOfMinutes(const TextFile& file, int line, const std::string& field, double minutes);

inline constexpr size_t kMostTravelPlaces = 2'000;  // the closure takes the cube of it

struct TravelTable {
  TravelMatrix travel;
  // One line when a detour was quicker than the way straight there (now the time of the detour),
  // else empty.
  std::string warning;
};

// travel_min.csv: one line per place, one number per place in it, 0 from a place to itself, no
// column names. The triangle inequality holds in what is returned.
TravelTable ReadTravelMinutes(const std::string& path);
TravelTable ParseTravelMinutes(const std::string& path, std::string text);

// The minutes of such a file as written, row by row.
std::vector<double> ReadSquare(const TextFile& file, size_t most_places);

// Rounds minutes, row by row, and closes triangles. An Error that begins with `where` when most of
// them vanish in that.
TravelMatrix RoundedTravel(const std::string& where, const std::vector<double>& minutes);

// Lowers every time to that of the quickest way (Floyd and Warshall); how many were lowered. Not
// for benchmark files, whose rounded distances are what the published values are for.
int CloseTriangles(int places, std::vector<Ticks>* times);

}  // namespace dray
