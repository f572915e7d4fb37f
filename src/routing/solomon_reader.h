#pragma once

#include "src/routing/instance.h"

namespace dray {

// Solomon's text, also of Gehring and Homberger: a name, a VEHICLE section with number and
// capacity, a CUSTOMER section with seven columns whose first row is the depot.
Instance ParseSolomon(const TextFile& file);

}  // namespace dray
