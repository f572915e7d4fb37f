#include "src/envs/cage2/meander.h"

#include <bit>

namespace dray::cage2 {
namespace {

void Drop(HostMask& from, HostMask hosts) { from &= ~hosts; }

// A quirk: one failed exploit, of whatever host, makes red doubt everything that it holds in the
// innermost subnet it has reached. Exploits of Defender always fail, so this keeps happening.
void DigestExploit(bool succeeded, const Network& network, MeanderState& meander) {
  const HostMask host = Bit(meander.last_exploited);
  if (succeeded) {
    meander.mapped |= host;
    return;
  }
  Drop(meander.exploited, host);
  const bool in_operational = (meander.escalated & network.operational_hosts) != 0;
  const HostMask doubted = in_operational ? network.operational_hosts : network.enterprise_hosts;
  Drop(meander.escalated, doubted);
  Drop(meander.exploited, doubted);
}

void DigestEscalation(bool succeeded, MeanderState& meander) {
  if (succeeded) return;
  const HostMask host = Bit(meander.last_escalated);
  Drop(meander.escalated, host);
  if ((meander.mapped & host) != 0) Drop(meander.exploited, host);
}

void Digest(bool succeeded, const Network& network, MeanderState& meander) {
  if (meander.last_exploited != kNoHost) DigestExploit(succeeded, network, meander);
  if (meander.last_escalated != kNoHost) DigestEscalation(succeeded, meander);
  meander.last_exploited = kNoHost;
  meander.last_escalated = kNoHost;
}

Host Pick(HostMask candidates, Chance& chance, StepRecord& record) {
  record.candidates = candidates;
  if (std::has_single_bit(candidates)) return Enumerator<Host>(std::countr_zero(candidates));
  return chance.PickHost(candidates);
}

}  // namespace

RedMove ChooseMeander(const Network& network, State& state, Chance& chance, StepRecord& record) {
  MeanderState& meander = state.meander;
  Digest(state.red_succeeded != 0, network, meander);
  if ((meander.escalated & Bit(network.server)) != 0) {
    meander.last_escalated = network.server;
    return {RedAction::kImpact, network.server};
  }
  // A subnet counts as scanned even if the scan fails because there is no route.
  const unsigned new_subnets = meander.known_subnets & ~meander.scanned_subnets;
  if (new_subnets != 0) {
    const int subnet = std::countr_zero(new_subnets);
    meander.scanned_subnets |= 1u << subnet;
    return {RedAction::kDiscoverSystems, subnet};
  }
  // No host is ever scanned twice, though its first scan may have found no route.
  const HostMask unscanned = meander.known_addresses & ~meander.scanned;
  if (unscanned != 0) {
    const Host host = Pick(unscanned, chance, record);
    meander.scanned |= Bit(host);
    return {RedAction::kDiscoverServices, host};
  }
  const HostMask lost = meander.mapped & ~meander.exploited;
  const HostMask held = meander.known_names & ~(meander.escalated | lost);
  if (held != 0) {
    const Host host = Pick(held, chance, record);
    meander.escalated |= Bit(host);
    meander.last_escalated = host;
    return {RedAction::kEscalate, host};
  }
  const HostMask open = meander.known_addresses & ~meander.exploited;
  // Never happens in Scenario2: before red knows Defender, a host that it lost is open again. In
  // other scenarios the original stops with an error.
  if (open == 0) return {};
  const Host host = Pick(open, chance, record);
  meander.exploited |= Bit(host);
  meander.last_exploited = host;
  return {RedAction::kExploit, host};
}

void LearnMeander(RedMove move, const Network& network, State& state) {
  MeanderState& meander = state.meander;
  if (move.action == RedAction::kDiscoverSystems) {
    meander.known_addresses |= network.subnet_hosts[move.target];
  } else if (move.action == RedAction::kExploit) {
    meander.known_names |= Bit(move.target);
  } else if (move.action == RedAction::kEscalate) {
    const HostFacts& facts = network.facts[move.target];
    meander.known_subnets |= facts.shown_subnets;
    meander.known_addresses |= facts.shown_hosts;
  }
}

}  // namespace dray::cage2
