#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "src/oracle/batching.h"
#include "src/oracle/counted.h"
#include "src/oracle/oracle_entry.h"

namespace dray {

struct MadeOracle {
  std::shared_ptr<CountedOracle> counted;
  // Batches the calls of all shards of this process; null if the oracle is not shared.
  std::shared_ptr<BatchingOracle> meeting = nullptr;
  // Message to the user about the choice; may be empty.
  std::string note = {};

  std::shared_ptr<Oracle> oracle() const {
    return meeting ? std::shared_ptr<Oracle>(meeting) : counted;
  }
};

// Makes the oracle that the config asks for. It is reached through this process's OraclePort if the
// config asks for actors and there is a port; shared by all shards of this process if it asks for
// actors and there is none, or if sharing is faster; and the caller's own otherwise.
MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context);

// Returns the value of EnvSpec::service_actors.
inline int OracleActors(const OracleConfig& config) {
  return config.placement() == OraclePlacement::ACTOR ? std::max(1, config.actors()) : 0;
}

}  // namespace dray
