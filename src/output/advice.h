#pragma once

#include <string>
#include <vector>

#include "src/metrics/report.h"

namespace dray {

// Suggests what the user may want to change, one sentence each; empty if all is well. `before` is
// the previous report, empty for the first one.
std::vector<std::string> AdviceFor(const Report& report, const Report& before);

}  // namespace dray
