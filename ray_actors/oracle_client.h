#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "src/api/dray.h"

namespace dray_ray {

// Connects a shard to the oracle actors of its run, which it calls in turn. A lost oracle is
// restarted under its name; until then its problems go to the next one.
class OracleClient {
 public:
  // `names` are in calling order. Each shard gets a different order, so that shards start with
  // different oracles.
  explicit OracleClient(std::vector<std::string> names);
  OracleClient(const OracleClient&) = delete;
  OracleClient& operator=(const OracleClient&) = delete;

  // Returns the port, whose calls are thread-safe.
  const dray_oracle_port* port() const { return &port_; }

  // Throws if no oracle answers within a minute, or if one answers with an error.
  void Solve(dray_bytes problems, dray_sink answers);

 private:
  struct Oracle {
    std::string name;
    std::string actor;  // empty: not looked up yet
  };

  std::string Actor(size_t turn);
  void Forget(size_t turn);

  dray_oracle_port port_;
  std::mutex mutex_;
  std::vector<Oracle> oracles_;
  std::atomic<size_t> turn_{0};
};

}  // namespace dray_ray
