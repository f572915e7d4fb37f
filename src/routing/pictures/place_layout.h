#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Where places could lie on a map, by the travel times between them (the mean of both directions)
// and up to turning and mirroring: classical multidimensional scaling. One point for each of
// `places`, in ticks of travel; the same times give the same points.
std::vector<Point> LayOutPlaces(const TravelMatrix& travel, const std::vector<int>& places);

}  // namespace dray
