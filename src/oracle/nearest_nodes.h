#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/oracle/stop_table.h"

namespace dray {

// Lists the nodes nearest to a node, by travel there and back. Sorts a node's list when it is first
// asked for.
class NearestNodes {
 public:
  // Starts over for the problem of a table.
  void Load(const StopTable& table);

  // Returns all stops, nearest first, beginning with the node itself.
  std::span<const int> Of(int node, const StopTable& table);

 private:
  std::vector<int> rows_;           // one row per node
  std::vector<uint8_t> is_sorted_;  // indexed by node
  std::vector<std::pair<int64_t, int>> keyed_;
};

}  // namespace dray
