#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/oracle/oracle_entry.h"

namespace dray {

// Every oracle but `auto`, which is a choice among them.
std::vector<std::string> OracleNames();
OracleConfig::Kind OracleKindNamed(const std::string& name);

struct ChosenOracle {
  std::unique_ptr<Oracle> oracle;
  // What the user should know of the choice; empty: nothing.
  std::string note;
};

// The oracle that a config asks for, whatever its placement. `auto` is the neural one on a GPU,
// within the sizes it was trained for, and ruin and recreate otherwise; who can time them may
// choose better, among OracleCandidates.
ChosenOracle ChooseOracle(const OracleConfig& config, const OracleContext& context);

// What a config's `auto` may mean on this machine, for kind and device: the one to be preferred
// first, if it is about as quick.
std::vector<OracleConfig> OracleCandidates(const OracleConfig& config,
                                           const OracleContext& context);

// OracleEntry::shared of the same.
bool SharedByShards(const OracleConfig& config, const OracleContext& context);

}  // namespace dray
