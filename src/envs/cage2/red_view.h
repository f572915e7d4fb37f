#pragma once

#include <cstdint>
#include <span>

#include "src/env/env.h"
#include "src/envs/cage2/red_knowledge.h"

namespace dray::cage2 {

// Observations and actions of a policy that plays red.
//
// Actions: 0 sleep; 1 + s discover the hosts of subnet s; then scan, exploit and escalate for each
// host; the last is the impact on the server. The exploit is chosen from the remembered ports, as
// for every red agent.
struct RedActions {
  explicit RedActions(const Network& network)
      : scan(search + network.subnets),
        exploit(scan + network.hosts),
        escalate(exploit + network.hosts),
        impact(escalate + network.hosts),
        count(impact + 1) {}

  // First action of each kind.
  static constexpr int search = 1;
  int scan, exploit, escalate, impact;
  int count;
};

RedMove RedMoveOf(int action, const Network& network);

// Allows the moves that red has the knowledge for: search known subnets, scan known addresses,
// exploit hosts whose ports it remembers, escalate where it believes to have a session, and attack
// the server if it has found the service and believes to have a session there. Sleep is always
// allowed.
void WriteRedMask(const RedKnowledge& knowledge, const Network& network, std::span<uint8_t> mask);

// An observation consists of values between 0 and 1. Each host has: address known, ports
// remembered, session believed, escalated, consecutive failed exploits, time since the last success
// there, last target, and the eight exploits that the remembered ports offer. Each subnet has:
// known, searched. Then follow the last action (one of six), its success, whether it saw ports,
// whether the server's service is known, and the time.
inline constexpr int kRedHostValues = 7 + kExploits;
inline int RedValues(const Network& network) {
  return network.hosts * kRedHostValues + 2 * network.subnets + 6 + 4;
}

// Writes the observation. `progress` is the elapsed share of the episode.
void WriteRedObservation(const RedKnowledge& knowledge, float progress, const Network& network,
                         std::span<float> values);

// Returns the spec for networks that play red.
EnvSpec RedSpec(int max_steps, const Network& network);

}  // namespace dray::cage2
