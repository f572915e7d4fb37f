#pragma once

#include <array>
#include <cstdint>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Remembers which hosts were scanned: 0 never, 1 earlier, 2 most recently. The winning team's agent
// adds these values to its observation (ten in Scenario2).
struct ScanMemory {
  // Number of hosts remembered: all except those of kind op_host.
  static int Values(const Network& network);

  // Updates the memory with an observation. Counts only activities that read as scans and, as in
  // the original, only the first host if several show one (because of green).
  void Look(uint64_t observation, const Network& network);

  // Returns true if every value is valid; checks loaded data.
  bool Plausible() const;

  // One value per remembered host, in order; the rest is 0.
  std::array<uint8_t, kMostHosts> values{};
};

}  // namespace dray::cage2
