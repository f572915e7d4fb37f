#pragma once

#include <span>
#include <string>

#include "src/config/flags.h"

namespace dray {

// "--device auto|cpu|cuda": a flag and its value, as the help has them.
std::string FlagUsage(const Flag& flag, const google::protobuf::Descriptor& settings);

// A line or more for each flag: its usage, what it means, its default, its other names. Those of a
// group lie together under its heading, after those without one.
std::string FlagsHelp(std::span<const Flag> flags, const google::protobuf::Descriptor& settings);

}  // namespace dray
