#include "src/envs/cage2/state.h"

#include <bit>

namespace dray::cage2 {
namespace {

constexpr uint64_t CompromisedBits() {
  uint64_t bits = 0;
  for (int host = 0; host < kHosts; ++host) bits |= uint64_t{0b11} << ObservationShift(host);
  return bits;
}

constexpr PortMask kDecoyPorts = PortBit(21) | PortBit(22) | PortBit(25) | PortBit(80) |
                                 PortBit(139) | PortBit(443) | PortBit(3389);

bool IsFlag(uint8_t value) { return value <= 1; }

bool IsHostOrNone(int host) { return host >= kNoHost && host < kHosts; }

bool IsHostMask(HostMask mask) { return (mask & ~kAllHosts) == 0; }

bool PlausibleHost(const State& state, int host) {
  const int sessions = state.sessions[host];
  const int decoys = state.decoys[host];
  const int decoy_ports = std::popcount(state.decoy_ports[host]);
  return sessions <= kMostSessions && (state.known_processes[host] >> sessions) == 0 &&
         (state.decoy_ports[host] & ~kDecoyPorts) == 0 && decoys <= kMostDecoys &&
         decoys >= decoy_ports && (decoys > 0) == (decoy_ports > 0) &&
         (state.remembered_ports[host] & ~kAllPorts) == 0;
}

bool PlausibleBline(const BlineState& bline) {
  const bool chosen = bline.user >= kUser1 && bline.user <= kUser4;
  return bline.stage <= 14 && IsFlag(bline.sure_of_server) &&
         (chosen || (bline.user == kNoHost && bline.stage == 0));
}

bool PlausibleMeander(const MeanderState& meander) {
  for (const HostMask mask : {meander.known_addresses, meander.known_names, meander.scanned,
                              meander.exploited, meander.escalated, meander.mapped}) {
    if (!IsHostMask(mask)) return false;
  }
  return meander.known_subnets >> kSubnets == 0 && meander.scanned_subnets >> kSubnets == 0 &&
         IsHostOrNone(meander.last_exploited) && IsHostOrNone(meander.last_escalated);
}

}  // namespace

HostMask HostsToRemoveFrom(const State& state) {
  HostMask hosts = 0;
  for (int host = 0; host < kHosts; ++host) {
    if (state.known_processes[static_cast<size_t>(host)] != 0) hosts |= Bit(host);
  }
  return hosts;
}

HostMask HostsWithSession(const State& state) {
  HostMask hosts = state.privileged;
  for (int host = 0; host < kHosts; ++host) {
    if (state.sessions[host] > 0) hosts |= Bit(host);
  }
  return hosts;
}

bool Plausible(const State& state) {
  for (int host = 0; host < kHosts; ++host) {
    if (!PlausibleHost(state, host)) return false;
  }
  for (const uint8_t flag : {state.red_succeeded, state.scan_saw_ports, state.server_up,
                             state.server_found, state.server_vulnerable}) {
    if (!IsFlag(flag)) return false;
  }
  return (state.compromised & ~CompromisedBits()) == 0 && IsHostMask(state.privileged) &&
         (state.privileged & Bit(kUser0)) != 0 && IsHostMask(state.malware) &&
         IsHostMask(state.haraka_broken) && state.red <= RedAgent::kSleep && state.unused == 0 &&
         PlausibleBline(state.bline) && PlausibleMeander(state.meander);
}

}  // namespace dray::cage2
