#pragma once

#include <cstdint>
#include <span>

#include "src/env/env.h"
#include "src/envs/cage2/red_knowledge.h"

namespace dray::cage2 {

// How a policy that plays red sees and acts.
//
// Actions: 0 sleep; 1 + s discover the hosts of subnet s; then, for each host h, scan it, exploit
// it, escalate there; the last is the impact on the server. Which exploit is used is decided as for
// every red agent, from the ports that it remembers.
struct RedActions {
  explicit RedActions(const Network& network)
      : scan(search + network.subnets),
        exploit(scan + network.hosts),
        escalate(exploit + network.hosts),
        impact(escalate + network.hosts),
        count(impact + 1) {}

  // Where each kind begins.
  static constexpr int search = 1;
  int scan, exploit, escalate, impact;
  int count;
};

RedMove RedMoveOf(int action, const Network& network);

// What red knows how to do: search a subnet it has heard of, scan an address it knows, exploit a
// host of which it remembers ports, escalate where it believes to have a session, strike the server
// when it has found its service and believes to have a session there. Sleep is always possible.
void WriteRedMask(const RedKnowledge& knowledge, const Network& network, std::span<uint8_t> mask);

// Per host: its address is known, ports are remembered, a session is believed in, it was taken
// over, exploits in a row that failed, how recently a move there succeeded, it was the last target,
// and the eight exploits that the remembered ports offer. Then per subnet: known, searched. Then
// the last action (one of six), whether it succeeded, whether it saw ports, whether the server's
// service is known, and the time. All values are from 0 to 1.
inline constexpr int kRedHostValues = 7 + kExploits;
inline int RedValues(const Network& network) {
  return network.hosts * kRedHostValues + 2 * network.subnets + 6 + 4;
}

// `progress`: the share of the episode that is over.
void WriteRedObservation(const RedKnowledge& knowledge, float progress, const Network& network,
                         std::span<float> values);

// What a network that plays red is made for.
EnvSpec RedSpec(int max_steps, const Network& network);

}  // namespace dray::cage2
