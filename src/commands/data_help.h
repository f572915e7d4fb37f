#pragma once

#include <string_view>

namespace dray {

// The formats of users' own CSV files in short, for --help data; docs/own_data.md is the whole of
// it.
std::string_view DataHelp();

}  // namespace dray
