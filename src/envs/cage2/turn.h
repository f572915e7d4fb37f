#pragma once

#include <cstdint>

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/network.h"
#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// The connections that the monitor sees on one host in one step. Of all that is known about each
// of them, three things matter.
struct Connections {
  // One to each port of the set; `count` of them, as two services may share a port.
  void Add(PortMask ports, int count) {
    local_ports |= ports;
    this->count += count;
  }

  Host host = kNoHost;
  int count = 0;
  uint32_t local_ports = 0;    // as PortMask, with room for kEphemeralPort
  bool reverse_shell = false;  // one goes out to port 4444
};

// A port that the system gave out: unlike all others.
inline constexpr uint32_t kEphemeralPort = 1u << 16;

// One step under way.
struct Turn {
  const Rules& rules;
  const Network& network;
  State& state;
  Chance& chance;
  StepRecord& record;
  Host decoy_placed = kNoHost;   // by blue, in this step
  Host malware_found = kNoHost;  // likewise
  Connections green = {};
  Connections red = {};
  RedMove handed = {};  // what kSleep does in this step: nothing, or what was decided elsewhere
};

// All that listens on a host, decoys included.
inline PortMask OpenPorts(const State& state, int host, const Network& network) {
  return network.facts[host].ports | state.decoy_ports[host];
}

inline Connections PortScan(const State& state, Host host, const Network& network) {
  return {.host = host,
          .count = network.facts[host].services + state.decoys[host],
          .local_ports = OpenPorts(state, host, network)};
}

}  // namespace dray::cage2
