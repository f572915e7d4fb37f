#include "src/envs/cage2/state.h"

#include <bit>

namespace dray::cage2 {
namespace {

uint64_t CompromisedBits(const Network& network) {
  uint64_t bits = 0;
  for (int host = 0; host < network.hosts; ++host) bits |= uint64_t{0b11} << network.shift(host);
  return bits;
}

constexpr PortMask kDecoyPorts = PortBit(21) | PortBit(22) | PortBit(25) | PortBit(80) |
                                 PortBit(139) | PortBit(443) | PortBit(3389);

bool IsFlag(uint8_t value) { return value <= 1; }

bool IsHostOrNone(int host, const Network& network) {
  return host >= kNoHost && host < network.hosts;
}

bool IsHostMask(HostMask mask, const Network& network) {
  return (mask & ~network.all_hosts()) == 0;
}

// Entries without a host must be in their initial state.
bool PlausibleHost(const State& state, int host, const Network& network) {
  const unsigned all_ports = host < network.hosts ? (1u << network.port_count) - 1 : 0;
  const unsigned decoy_ports_there = host < network.hosts ? kDecoyPorts : 0;
  const int most_sessions = host < network.hosts ? kMostSessions : 0;
  const int sessions = state.sessions[host];
  const int decoys = state.decoys[host];
  const int decoy_ports = std::popcount(state.decoy_ports[host]);
  return sessions <= most_sessions && (state.known_processes[host] >> sessions) == 0 &&
         (state.decoy_ports[host] & ~decoy_ports_there) == 0 && decoys <= kMostDecoys &&
         decoys >= decoy_ports && (decoys > 0) == (decoy_ports > 0) &&
         (state.remembered_ports[host] & ~all_ports) == 0;
}

bool PlausibleBline(const BlineState& bline, const Network& network) {
  const bool chosen =
      bline.user >= 0 && bline.user < network.hosts && (network.bline_users & Bit(bline.user)) != 0;
  return bline.stage <= 14 && IsFlag(bline.sure_of_server) &&
         (chosen || (bline.user == kNoHost && bline.stage == 0));
}

bool PlausibleMeander(const MeanderState& meander, const Network& network) {
  for (const HostMask mask : {meander.known_addresses, meander.known_names, meander.scanned,
                              meander.exploited, meander.escalated, meander.mapped}) {
    if (!IsHostMask(mask, network)) return false;
  }
  return meander.known_subnets >> network.subnets == 0 &&
         meander.scanned_subnets >> network.subnets == 0 &&
         IsHostOrNone(meander.last_exploited, network) &&
         IsHostOrNone(meander.last_escalated, network);
}

}  // namespace

State StartOf(const Network& network, RedAgent red) {
  State state;
  state.privileged = Bit(network.foothold);
  state.meander.known_addresses = Bit(network.foothold);
  state.meander.known_names = Bit(network.foothold);
  state.meander.known_subnets = network.first_subnet;
  state.red = red;
  return state;
}

HostMask HostsToRemoveFrom(const State& state) {
  HostMask hosts = 0;
  for (int host = 0; host < kMostHosts; ++host) {
    if (state.known_processes[host] != 0) hosts |= Bit(host);
  }
  return hosts;
}

HostMask HostsWithSession(const State& state) {
  HostMask hosts = state.privileged;
  for (int host = 0; host < kMostHosts; ++host) {
    if (state.sessions[host] > 0) hosts |= Bit(host);
  }
  return hosts;
}

bool Plausible(const State& state, const Network& network) {
  for (int host = 0; host < kMostHosts; ++host) {
    if (!PlausibleHost(state, host, network)) return false;
  }
  for (const uint8_t flag : {state.red_succeeded, state.scan_saw_ports, state.server_up,
                             state.server_found, state.server_vulnerable}) {
    if (!IsFlag(flag)) return false;
  }
  return (state.compromised & ~CompromisedBits(network)) == 0 &&
         IsHostMask(state.privileged, network) && (state.privileged & Bit(network.foothold)) != 0 &&
         IsHostMask(state.malware, network) && IsHostMask(state.haraka_broken, network) &&
         state.red <= RedAgent::kSleep &&
         (state.red != RedAgent::kBline || network.no_bline.empty()) && state.unused == 0 &&
         PlausibleBline(state.bline, network) && PlausibleMeander(state.meander, network);
}

}  // namespace dray::cage2
