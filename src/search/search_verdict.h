#pragma once

#include <string>

#include "src/search/search_report.h"

namespace dray {

// Within a search's folder.
inline constexpr char kSearchJsonFile[] = "/search.json";

// What the search says about whether the order matters, in one line; before the end of a search,
// that it does not say yet.
std::string VerdictLine(const SearchFindings& findings);

// "The model: 62 % of the variance between trainings comes from the order: standard deviation 2.1
// between orders, 1.6 between seeds (reward)"; empty with fewer than 3 different results, which
// tell nothing about it.
std::string VarianceLine(const SearchFindings& findings);

// search.json: the verdict, every order and every trial, for programs. Returns are in units of
// reward; what does not exist is null.
std::string SearchJson(const SearchFindings& findings);

}  // namespace dray
