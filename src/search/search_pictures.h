#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/search/search_report.h"

namespace dray {

// Returns the pictures of a search as SVG, by file name:
//   orders.svg  the posterior of every order, best first, with every training at its order
//   best.svg    the order believed best after each training, and the measured returns
//   regret.svg  that order's difference to the final best, both by the final model
// None before a result counts.
std::vector<std::pair<std::string, std::string>> SearchPictures(const SearchFindings& findings);

// Returns Markdown that shows them.
std::string PictureLinks(const SearchFindings& findings);

}  // namespace dray
