#pragma once

#include <string>
#include <vector>

#include "src/envs/dvrptw/flexibility/bayes.h"

namespace dray::dvrptw {

// Returns a line for each reason why riders' types cannot be determined, with the riders concerned:
// never seen, fewer than `few_answers` answers to a shift, or answers that leave several types open
// because only one side was ever asked for. Empty if the answers determine every type.
std::vector<std::string> DataQualityWarnings(const BayesBelief& evidence, int few_answers);

}  // namespace dray::dvrptw
