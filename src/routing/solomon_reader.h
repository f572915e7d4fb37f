#pragma once

#include "src/routing/instance.h"

namespace dray {

// Parses Solomon's text format, also used by Gehring and Homberger: a name, a VEHICLE section with
// number and capacity, and a CUSTOMER section with seven columns whose first row is the depot.
Instance ParseSolomon(const TextFile& file);

}  // namespace dray
