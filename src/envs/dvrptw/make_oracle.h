#pragma once

#include <memory>

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/oracle/oracle.h"

namespace dray {

// The oracle that a config asks for, for problems of up to `requests` requests, in parts of
// max_batch.
std::unique_ptr<Oracle> MakeOracle(const OracleConfig& config, int requests);

}  // namespace dray
