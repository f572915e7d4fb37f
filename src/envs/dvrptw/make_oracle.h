#pragma once

#include <memory>
#include <string>

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/oracle/oracle.h"

namespace dray {

struct MadeOracle {
  std::shared_ptr<Oracle> oracle;
  // What the user should know of the choice; empty: nothing.
  std::string note;
};

// The oracle that a config asks for, for problems of up to `requests` requests. `auto` is the
// neural one on a GPU, within the sizes it was trained for, and ruin and recreate otherwise.
MadeOracle MakeOracle(const OracleConfig& config, int requests);

}  // namespace dray
