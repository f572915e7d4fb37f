#pragma once

#include <cstdint>

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/network.h"
#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// Connections that the monitor sees on one host in one step, reduced to the facts that matter.
struct Connections {
  // Adds `count` connections to these ports; two services may share a port.
  void Add(PortMask ports, int count) {
    local_ports |= ports;
    this->count += count;
  }

  Host host = kNoHost;
  int count = 0;
  uint32_t local_ports = 0;    // a PortMask, plus kEphemeralPort
  bool reverse_shell = false;  // one connection goes out to port 4444
};

// A port assigned by the system, which differs from all others.
inline constexpr uint32_t kEphemeralPort = 1u << 16;

// A step in progress.
struct Turn {
  const Rules& rules;
  const Network& network;
  State& state;
  Chance& chance;
  StepRecord& record;
  Host decoy_placed = kNoHost;   // host where blue placed a decoy
  Host malware_found = kNoHost;  // host where blue found malware
  Connections green = {};
  Connections red = {};
  RedMove handed = {};  // move to play if red is kSleep or kLearned
};

// Returns the open ports of a host, including decoys.
inline PortMask OpenPorts(const State& state, int host, const Network& network) {
  return network.facts[host].ports | state.decoy_ports[host];
}

inline Connections PortScan(const State& state, Host host, const Network& network) {
  return {.host = host,
          .count = network.facts[host].services + state.decoys[host],
          .local_ports = OpenPorts(state, host, network)};
}

}  // namespace dray::cage2
