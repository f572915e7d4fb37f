#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "src/api/dray.h"

namespace dray_ray {

// A shard's way to the oracle actors of its run: one after the other in turn. An oracle that is
// lost comes back under its name; until then its turn goes to the next, and problems are asked
// again.
class OracleClient {
 public:
  // The names in the order of turns; shards are given different orders, to begin at different ones.
  explicit OracleClient(std::vector<std::string> names);
  OracleClient(const OracleClient&) = delete;
  OracleClient& operator=(const OracleClient&) = delete;

  // Calls may be made by several threads.
  const dray_oracle_port* port() const { return &port_; }

  // Throws when no oracle answers in a minute, or when one answers with an error.
  void Solve(dray_bytes problems, dray_sink answers);

 private:
  struct Oracle {
    std::string name;
    std::string actor;  // empty: to be looked up
  };

  std::string Actor(size_t turn);
  void Forget(size_t turn);

  dray_oracle_port port_;
  std::mutex mutex_;
  std::vector<Oracle> oracles_;
  std::atomic<size_t> turn_{0};
};

}  // namespace dray_ray
