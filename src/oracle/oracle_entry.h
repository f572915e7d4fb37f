#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/oracle/oracle.h"
#include "src/oracle/oracle.pb.h"

namespace dray {

// Describes the use of an oracle, beyond its settings.
struct OracleContext {
  // Number of requests of the largest problem.
  int requests = 0;
  // Prefix of the setting names in error messages, such as "env.task.oracle.".
  std::string_view settings = "";
  // Options of ruin_recreate; see RuinRecreateOptions.
  int searches = 1;
  bool fewest_vehicles = false;
  std::atomic<int64_t>* rounds_done = nullptr;
};

// Settings and use of the oracle that a task's environments need.
struct TaskOracle {
  const OracleConfig& config;
  OracleContext context;
};

// Entry of an oracle in the registry.
struct OracleEntry {
  std::unique_ptr<Oracle> (*make)(const OracleConfig& config, const OracleContext& context);

  // Returns a clause that says why it may do badly on such problems, or an empty string. Null if it
  // never does.
  std::string (*doubt)(const OracleConfig& config, const OracleContext& context) = nullptr;

  // Returns true if one oracle shared by all shards of a process, which then meet at each step, is
  // faster than one per shard. Null if it never is.
  bool (*shared)(const OracleConfig& config) = nullptr;
};

// Holds one function per oracle, named like the oracle; ORACLES in BUILD lists them.
namespace oracles {}

}  // namespace dray
