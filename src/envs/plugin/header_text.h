#pragma once

#include <string_view>

namespace dray {

// Returns the text of dray_env.h, so that every installation has the header of its own version.
std::string_view PluginHeaderText();

}  // namespace dray
