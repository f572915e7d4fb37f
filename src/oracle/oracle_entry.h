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

// What an oracle is made for, beyond its settings.
struct OracleContext {
  // Of the largest problem.
  int requests = 0;
  // What the names of the settings begin with, for errors: "env.task.oracle.".
  std::string_view settings = "";
  // Of ruin_recreate, as RuinRecreateOptions has them.
  int searches = 1;
  bool fewest_vehicles = false;
  std::atomic<int64_t>* rounds_done = nullptr;
};

// The oracle that a task's environments need.
struct TaskOracle {
  const OracleConfig& config;
  OracleContext context;
};

// What the registry knows of an oracle.
struct OracleEntry {
  std::unique_ptr<Oracle> (*make)(const OracleConfig& config, const OracleContext& context);

  // Why it may do badly on such problems: a clause, empty when nothing speaks against it. Null:
  // nothing ever does.
  std::string (*doubt)(const OracleConfig& config, const OracleContext& context) = nullptr;

  // Whether one for all shards of a process, which then meet at each step, is faster than one for
  // each. Null: it never is.
  bool (*shared)(const OracleConfig& config) = nullptr;
};

// Each oracle is a function of its name, here: the registry finds it by ORACLES in BUILD.
namespace oracles {}

}  // namespace dray
