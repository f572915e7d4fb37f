#pragma once

#include <memory>
#include <string>

#include "src/oracle/batching.h"
#include "src/oracle/counted.h"
#include "src/oracle/oracle_entry.h"

namespace dray {

struct MadeOracle {
  std::shared_ptr<CountedOracle> counted;
  // In front of it, where the shards of this process share it; null: nobody else does.
  std::shared_ptr<BatchingOracle> meeting = nullptr;
  // What the user should know of the choice; empty: nothing.
  std::string note = {};

  std::shared_ptr<Oracle> oracle() const {
    return meeting ? std::shared_ptr<Oracle>(meeting) : counted;
  }
};

// The oracle that a config asks for: one of its own; one for all shards of this process, when one
// is faster than many or the config wants it elsewhere and there is no elsewhere; or one that is
// reached by this process's OraclePort.
MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context);

// EnvSpec::service_actors.
inline int OracleActors(const OracleConfig& config) {
  return config.placement() == OracleConfig::ACTOR ? config.actors() : 0;
}

}  // namespace dray
