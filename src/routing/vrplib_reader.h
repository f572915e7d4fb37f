#pragma once

#include "src/routing/instance.h"

namespace dray {

// Parses VRPLIB, the extension of TSPLIB by vehicles: DIMENSION, CAPACITY, EDGE_WEIGHT_TYPE (EUC_2D
// or EXACT_2D, or EXPLICIT as FULL_MATRIX or LOWER_ROW), NODE_COORD_SECTION, DEMAND_SECTION,
// DEPOT_SECTION, and optionally VEHICLES, TIME_WINDOW_SECTION, SERVICE_TIME or SERVICE_TIME_SECTION
// and, without windows, DISTANCE (the longest allowed route, including services). Unknown keywords
// are an Error, so that no rule of the file is silently ignored. Distances are rounded as the
// options say, not always to whole numbers as in TSPLIB's EUC_2D. Solutions number customers as
// CVRPLIB does: one less than the node.
Instance ParseVrplib(const TextFile& file);

}  // namespace dray
