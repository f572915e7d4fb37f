#pragma once

#include <array>
#include <cstdint>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// What an observation forgets: who was scanned before, and who last. Ten numbers beside the
// observation of the winning team's agent: 0 never, 1 earlier, 2 the latest.
struct ScanMemory {
  // How many hosts are remembered: all but those of the kind op_host.
  static int Values(const Network& network);

  // Takes in one observation. Only an activity that reads scan counts; when several hosts show one
  // (green's), only the first does, as in the original.
  void Look(uint64_t observation, const Network& network);

  // Whether every value is one of the three: for a memory that was saved.
  bool Plausible() const;

  // One for each of them, in order; the rest is 0.
  std::array<uint8_t, kMostHosts> values{};
};

}  // namespace dray::cage2
