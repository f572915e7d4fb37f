#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Computes positions of places on a map from the travel times between them (the mean of both
// directions), up to rotation and mirroring, by classical multidimensional scaling. Returns one
// point for each of `places`, in ticks of travel. Deterministic.
std::vector<Point> LayOutPlaces(const TravelMatrix& travel, const std::vector<int>& places);

}  // namespace dray
