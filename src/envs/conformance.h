#pragma once

#include <span>
#include <string_view>

#include "src/config/config.pb.h"

namespace dray {

// A property that environments must have for Dray to learn from them, resume them and give the same
// numbers in any layout. Tests require them of every task, `check_env` of a user's environments.
struct EnvProperty {
  std::string_view name;  // a sentence without its final stop
  // Plays the environments; throws an Error that says what is wrong, where the property is missing.
  void (*check)(const EnvConfig& config);
  // There are sound environments without the property, such as those without chance.
  bool optional = false;
};

std::span<const EnvProperty> EnvProperties();

}  // namespace dray
