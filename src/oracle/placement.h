#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "src/oracle/oracle_entry.h"

namespace dray {

struct MadeOracle {
  std::shared_ptr<Oracle> oracle;
  // What the user should know of the choice; empty: nothing.
  std::string note;
  // Set when it splits large batches by itself, once those of several shards are merged: how often
  // memory ran out since the last call, from whichever shard that came.
  std::function<int64_t()> take_splits = nullptr;
};

// The oracle that a config asks for: one of its own, or one for all, which is elsewhere when this
// process has an OraclePort and in this process otherwise.
MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context);

// EnvSpec::oracle_actors.
inline int OracleActors(const OracleConfig& config) {
  return config.placement() == OracleConfig::ACTOR ? config.actors() : 0;
}

}  // namespace dray
