#pragma once

#include <string>

#include "src/search/search_report.h"

namespace dray {

// File name within a search's folder.
inline constexpr char kSearchJsonFile[] = "/search.json";

// States in one line whether the order matters; before the end of a search, that this is not known
// yet.
std::string VerdictLine(const SearchFindings& findings);

// Returns "The model: 62 % of the variance between trainings comes from the order: standard
// deviation 2.1 between orders, 1.6 between seeds (reward)"; empty with fewer than 3 different
// results, which say nothing about it.
std::string VarianceLine(const SearchFindings& findings);

// Formats search.json for programs: the verdict, every order and every trial. Returns are in units
// of reward; values that do not exist are null.
std::string SearchJson(const SearchFindings& findings);

}  // namespace dray
