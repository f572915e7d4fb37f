#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/oracle/oracle_entry.h"

namespace dray {

// Returns the names of all oracles. `auto` is not one of them: it chooses among them.
std::vector<std::string> OracleNames();
OracleConfig::Kind OracleKindNamed(const std::string& name);

struct ChosenOracle {
  std::unique_ptr<Oracle> oracle;
  // Message to the user about the choice; may be empty.
  std::string note;
};

// Makes the oracle that the config asks for, ignoring its placement. `auto` means the neural oracle
// on a GPU, within the sizes it was trained for, and ruin and recreate otherwise. Callers that can
// time oracles may choose better among OracleCandidates.
ChosenOracle ChooseOracle(const OracleConfig& config, const OracleContext& context);

// Returns the oracles that a config's `auto` may stand for on this machine, with kind and device
// set. Candidates are listed in order of preference at equal speed.
std::vector<OracleConfig> OracleCandidates(const OracleConfig& config,
                                           const OracleContext& context);

// Returns OracleEntry::shared of the oracle that ChooseOracle would make.
bool SharedByShards(const OracleConfig& config, const OracleContext& context);

}  // namespace dray
