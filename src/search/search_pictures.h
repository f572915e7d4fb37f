#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/search/search_report.h"

namespace dray {

// The pictures of a search by their file names, as SVG:
//   orders.svg  what is believed of every order, best first, and every training where its order is
//   best.svg    the order believed best after each training, and what each training measured
//   regret.svg  what that order lacks to the one believed best at the end, both by the final model
// None before a result counts.
std::vector<std::pair<std::string, std::string>> SearchPictures(const SearchFindings& findings);

// Markdown that shows them.
std::string PictureLinks(const SearchFindings& findings);

}  // namespace dray
