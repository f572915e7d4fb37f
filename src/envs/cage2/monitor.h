#pragma once

#include <cstdint>

#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// Activity on a host in a step, as the two bits of the observation.
enum class Activity : uint8_t { kNone = 0b00, kScan = 0b10, kExploit = 0b11 };

// Returns how the monitor reads a host's connections of one step. `decoy` says that blue placed a
// decoy there in this step, which the monitor counts as a connection.
Activity ActivityOf(const Connections& seen, bool decoy, Wrapper wrapper);

// Updates blue's table at the end of a step and returns the observation.
uint64_t Observe(Turn& turn);

// Extract a host's part of an observation.
inline Activity ActivityIn(uint64_t observation, int host, const Network& network) {
  return Enumerator<Activity>((observation >> (network.shift(host) + 2)) & 0b11);
}
inline Compromised CompromisedIn(uint64_t observation, int host, const Network& network) {
  return Enumerator<Compromised>((observation >> network.shift(host)) & 0b11);
}

}  // namespace dray::cage2
