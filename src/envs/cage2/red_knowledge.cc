#include "src/envs/cage2/red_knowledge.h"

#include <algorithm>

namespace dray::cage2 {

RedKnowledge RedKnowledge::AtStart(const Network& network) {
  RedKnowledge knowledge;
  knowledge.addresses = knowledge.sessions = knowledge.escalated = Bit(network.foothold);
  knowledge.subnets = network.first_subnet;
  return knowledge;
}

void RedKnowledge::OnMove(RedMove move, bool succeeded, const State& state,
                          const Network& network) {
  const bool on_host = move.target != kNoHost && move.action != RedAction::kDiscoverSystems;
  for (int32_t& since : since_success) since += since >= 0 ? 1 : 0;
  if (on_host && succeeded) since_success[move.target] = 0;
  last_action = move.action;
  last_target = move.target;
  last_succeeded = succeeded;
  last_saw_ports = 0;
  switch (move.action) {
    case RedAction::kSleep:
      return;
    case RedAction::kDiscoverSystems:
      if (!succeeded) return;
      searched |= 1u << move.target;
      addresses |= network.subnet_hosts[move.target];
      return;
    case RedAction::kDiscoverServices:
      last_saw_ports = state.scan_saw_ports;
      ports[move.target] = state.remembered_ports[move.target];
      return;
    case RedAction::kExploit:
      return OnExploit(move.target, succeeded, network);
    case RedAction::kEscalate:
      return OnEscalation(move.target, succeeded, network);
    case RedAction::kImpact:
      if (!succeeded) Lose(move.target);
      return;
  }
}

// Red is not told the user of the new session.
void RedKnowledge::OnExploit(int host, bool succeeded, const Network& network) {
  uint8_t& failed = failures[host];
  if (!succeeded) {
    failed = std::min<int>(failed + 1, kManyFailures);
    return;
  }
  failed = 0;
  sessions |= Bit(host);
  if (host != network.foothold) escalated &= ~Bit(host);
}

void RedKnowledge::OnEscalation(int host, bool succeeded, const Network& network) {
  if (!succeeded) return Lose(host);
  const HostFacts& facts = network.facts[host];
  escalated |= Bit(host);
  subnets |= facts.shown_subnets;
  addresses |= facts.shown_hosts;
  if (facts.shows_service) server_found = 1;
}

void RedKnowledge::Lose(int host) {
  sessions &= ~Bit(host);
  escalated &= ~Bit(host);
}

bool RedKnowledge::Plausible(const Network& network) const {
  const auto hosts = [&](HostMask mask) {
    return (mask & ~network.all_hosts()) == 0 && (mask & Bit(network.foothold)) != 0;
  };
  const auto known = [&](PortMask mask) { return mask >> network.port_count == 0; };
  const auto flag = [](uint8_t value) { return value <= 1; };
  return std::ranges::all_of(since_success, [](int32_t since) { return since >= -1; }) &&
         std::ranges::all_of(ports, known) &&
         std::ranges::all_of(failures, [](uint8_t count) { return count <= kManyFailures; }) &&
         hosts(addresses) && hosts(sessions) && hosts(escalated) &&
         subnets >> network.subnets == 0 && searched >> network.subnets == 0 &&
         flag(server_found) && flag(last_succeeded) && flag(last_saw_ports) &&
         last_action >= RedAction::kSleep && last_action <= RedAction::kImpact &&
         last_target >= kNoHost && last_target < network.hosts;
}

}  // namespace dray::cage2
