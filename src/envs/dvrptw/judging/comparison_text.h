#pragma once

#include <string>

#include "src/envs/dvrptw/judging/comparison.h"

namespace dray {

// For a terminal: one line per policy, units in the header.
std::string ComparisonText(const Comparison& comparison);
// The same for a page.
std::string ComparisonMarkdown(const Comparison& comparison);
// One object, with every estimate and its interval.
std::string ComparisonJson(const Comparison& comparison);

}  // namespace dray
