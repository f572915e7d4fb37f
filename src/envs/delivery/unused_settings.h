#pragma once

#include <google/protobuf/message.h>

#include <span>
#include <string_view>

#include "src/oracle/oracle.pb.h"

namespace dray::delivery {

// A setting, or a group of them, that has no effect under some condition.
struct Unused {
  std::string_view path;
  std::string_view why;
  std::string_view instead = "";  // alternative to leaving it out, if any
};

// Throws an Error if one of these settings of env.<task> differs from its default: whoever set it
// expects an effect. A setting at its default passes even if it was given, because a run's
// config.yaml names every setting. `where` says when the settings have no effect.
void RefuseUnused(const google::protobuf::Message& config, std::string_view task,
                  std::span<const Unused> settings, std::string_view where);

// Does the same for the settings of an oracle that other settings of the oracle turn off.
void RefuseUnusedOracleSettings(const google::protobuf::Message& config, std::string_view task,
                                const OracleConfig& oracle);

}  // namespace dray::delivery
