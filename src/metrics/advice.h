#pragma once

#include <string>
#include <vector>

#include "src/metrics/report.h"

namespace dray {

// Advice gives what a user may want to change, one sentence each; empty when all is well.

// From a report and the one before it (an empty one at first).
std::vector<std::string> AdviceFor(const Report& report, const Report& before);

}  // namespace dray
