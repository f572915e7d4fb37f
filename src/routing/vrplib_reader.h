#pragma once

#include "src/routing/instance.h"

namespace dray {

// VRPLIB, that is TSPLIB with vehicles: DIMENSION, CAPACITY, EDGE_WEIGHT_TYPE (EUC_2D or EXACT_2D,
// or EXPLICIT as FULL_MATRIX or LOWER_ROW), NODE_COORD_SECTION, DEMAND_SECTION, DEPOT_SECTION, and
// optionally VEHICLES, TIME_WINDOW_SECTION, SERVICE_TIME or SERVICE_TIME_SECTION and, where there
// are no windows, DISTANCE (the longest a route may take, services included). What the reader does
// not know is an Error, so that no rule of the file is left out in silence.
// Distances are rounded as the options say, not always to whole numbers as TSPLIB has EUC_2D.
// Solutions number customers as CVRPLIB does: one less than the node.
Instance ParseVrplib(const TextFile& file);

}  // namespace dray
