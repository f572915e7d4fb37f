#pragma once

#include <string>

#include "src/envs/dvrptw_offer/judging/comparison.h"

namespace dray::dvrptw_offer {

// Formats a comparison for a terminal, one line per policy.
std::string ComparisonText(const Comparison& comparison);
// Formats a comparison as Markdown.
std::string ComparisonMarkdown(const Comparison& comparison);
// Returns one JSON object with every estimate and its interval.
std::string ComparisonJson(const Comparison& comparison);

}  // namespace dray::dvrptw_offer
