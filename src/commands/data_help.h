#pragma once

#include <string_view>

namespace dray {

// Summary of the formats of users' own CSV files, for --help data; docs/own_data.md describes them
// in full.
std::string_view DataHelp();

}  // namespace dray
