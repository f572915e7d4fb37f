#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/oracle/oracle.h"

namespace dray {

struct MadeOracle {
  std::shared_ptr<Oracle> oracle;
  // What the user should know of the choice; empty: nothing.
  std::string note;
  // Set when it splits large batches by itself, once those of several shards are merged: how often
  // memory ran out since the last call, from whichever shard that came.
  std::function<int64_t()> take_splits = nullptr;
};

// The oracle that a config asks for, for problems of up to `requests` requests: one of its own, or
// one for all, which is elsewhere when this process has an OraclePort and in this process
// otherwise.
MadeOracle MakeOracle(const OracleConfig& config, int requests);

// EnvSpec::oracle_actors.
inline int OracleActors(const OracleConfig& config) {
  return config.placement() == OracleConfig::ACTOR ? config.actors() : 0;
}

// One of its own, whatever the placement. `auto` is the neural one on a GPU, within the sizes it
// was trained for, and ruin and recreate otherwise.
MadeOracle MakeInlineOracle(const OracleConfig& config, int requests);

}  // namespace dray
