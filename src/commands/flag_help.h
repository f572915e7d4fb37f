#pragma once

#include <span>
#include <string>

#include "src/config/flags.h"

namespace dray {

// Formats a flag and its value as the help shows them: "--device auto|cpu|cuda".
std::string FlagUsage(const Flag& flag, const google::protobuf::Descriptor& settings);

// Formats the help of all flags: usage, meaning, default (the value in `defaults`) and aliases.
// Flags of a group appear under its heading, after those without a group.
std::string FlagsHelp(std::span<const Flag> flags, const google::protobuf::Message& defaults);

}  // namespace dray
