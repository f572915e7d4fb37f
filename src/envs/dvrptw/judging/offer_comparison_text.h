#pragma once

#include <string>

#include "src/envs/dvrptw/judging/offer_comparison.h"

namespace dray {

// As for the mode negotiate (comparison_text.h).
std::string ComparisonText(const OfferComparison& comparison);
std::string ComparisonMarkdown(const OfferComparison& comparison);
std::string ComparisonJson(const OfferComparison& comparison);

}  // namespace dray
