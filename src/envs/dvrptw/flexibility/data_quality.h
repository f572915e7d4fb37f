#pragma once

#include <string>
#include <vector>

#include "src/envs/dvrptw/flexibility/bayes.h"

namespace dray {

// One line for each thing that keeps riders' types from being told, with the riders concerned:
// never seen, fewer than `few_answers` answers to a shift, or answers that leave several types open
// because only one side was ever asked for. Empty: the answers tell every type.
std::vector<std::string> DataQualityWarnings(const BayesBelief& evidence, int few_answers);

}  // namespace dray
