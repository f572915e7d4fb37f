#include "src/envs/dvrptw/make_oracle.h"

#include "src/base/error.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"

namespace dray {

std::unique_ptr<Oracle> MakeOracle(const OracleConfig& config, int /*requests*/) {
  switch (config.kind()) {
    case OracleConfig::INSERTION:
      return std::make_unique<InsertionOracle>();
    case OracleConfig::AUTO:
    case OracleConfig::RUIN_RECREATE:
      return std::make_unique<RuinRecreateOracle>(
          RuinRecreateOptions{.rounds = config.rounds(), .seed = config.seed()});
    case OracleConfig::NEURAL:
      break;
  }
  throw UsageError("env.dvrptw.oracle.kind: unknown");
}

}  // namespace dray
