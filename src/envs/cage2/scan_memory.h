#pragma once

#include <array>
#include <cstdint>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// The hosts whose scans are remembered: those of the operational subnet other than Op_Server0 are
// not.
inline constexpr std::array<Host, 10> kRememberedHosts = {
    kDefender, kEnterprise0, kEnterprise1, kEnterprise2, kOpServer0,
    kUser0,    kUser1,       kUser2,       kUser3,       kUser4};

// What the 52 bits forget: who was scanned before, and who last. Ten numbers beside the observation
// of the winning team's agent: 0 never, 1 earlier, 2 the latest.
struct ScanMemory {
  // Takes in one observation. Only an activity that reads scan counts; when several hosts show one
  // (green's), only the first does, as in the original.
  void Look(uint64_t observation);

  // Whether every value is one of the three: for a memory that was saved.
  bool Plausible() const;

  std::array<uint8_t, kRememberedHosts.size()> values{};
};

}  // namespace dray::cage2
