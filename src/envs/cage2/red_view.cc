#include "src/envs/cage2/red_view.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

constexpr int kActions = 6;  // of RedAction

float Flag(bool value) { return value ? 1.0f : 0.0f; }

void WriteHost(const RedKnowledge& knowledge, int host, std::span<float> values) {
  const size_t at = host;
  const int32_t since = knowledge.since_success[at];
  const ExploitMask offered = ExploitsOffered(knowledge.ports[at]);
  values[0] = Flag(knowledge.Knows(knowledge.addresses, host));
  values[1] = Flag(knowledge.ports[at] != 0);
  values[2] = Flag(knowledge.Knows(knowledge.sessions, host));
  values[3] = Flag(knowledge.Knows(knowledge.escalated, host));
  values[4] = static_cast<float>(knowledge.failures[at]) / RedKnowledge::kManyFailures;
  values[5] = since < 0 ? 0.0f : 1.0f / static_cast<float>(since + 1);
  values[6] =
      Flag(knowledge.last_target == host && knowledge.last_action != RedAction::kDiscoverSystems);
  for (int i = 0; i < kExploits; ++i) {
    values[7 + i] = Flag((offered >> i & 1) != 0);
  }
}

}  // namespace

RedMove RedMoveOf(int action, const Network& network) {
  const RedActions actions(network);
  DRAY_CHECK_LT(static_cast<unsigned>(action), static_cast<unsigned>(actions.count));
  if (action < actions.search) return {};
  if (action < actions.scan) return {RedAction::kDiscoverSystems, action - actions.search};
  if (action < actions.exploit) return {RedAction::kDiscoverServices, action - actions.scan};
  if (action < actions.escalate) return {RedAction::kExploit, action - actions.exploit};
  if (action < actions.impact) return {RedAction::kEscalate, action - actions.escalate};
  return {RedAction::kImpact, network.server};
}

void WriteRedMask(const RedKnowledge& knowledge, const Network& network, std::span<uint8_t> mask) {
  const RedActions actions(network);
  std::ranges::fill(mask, uint8_t{0});
  mask[0] = 1;
  for (int subnet = 0; subnet < network.subnets; ++subnet) {
    mask[actions.search + subnet] = knowledge.subnets >> subnet & 1;
  }
  const auto allow = [&](int action, bool allowed) { mask[action] = allowed; };
  for (int host = 0; host < network.hosts; ++host) {
    allow(actions.scan + host, knowledge.Knows(knowledge.addresses, host));
    allow(actions.exploit + host, knowledge.ports[host] != 0);
    allow(actions.escalate + host, knowledge.Knows(knowledge.sessions, host));
  }
  allow(actions.impact,
        knowledge.server_found != 0 && knowledge.Knows(knowledge.sessions, network.server));
}

void WriteRedObservation(const RedKnowledge& knowledge, float progress, const Network& network,
                         std::span<float> values) {
  DRAY_CHECK_EQ(std::ssize(values), RedValues(network));
  const size_t subnets = network.subnets;
  for (int host = 0; host < network.hosts; ++host) {
    WriteHost(knowledge, host, values.first(kRedHostValues));
    values = values.subspan(kRedHostValues);
  }
  for (size_t subnet = 0; subnet < subnets; ++subnet) {
    values[subnet] = Flag((knowledge.subnets >> subnet & 1) != 0);
    values[subnets + subnet] = Flag((knowledge.searched >> subnet & 1) != 0);
  }
  values = values.subspan(2 * subnets);
  for (int i = 0; i < kActions; ++i) {
    values[i] = Flag(Index(knowledge.last_action) == i);
  }
  values = values.subspan(kActions);
  values[0] = Flag(knowledge.last_succeeded != 0);
  values[1] = Flag(knowledge.last_saw_ports != 0);
  values[2] = Flag(knowledge.server_found != 0);
  values[3] = progress;
}

EnvSpec RedSpec(int max_steps, const Network& network) {
  return {.name = "cage2_red",
          .observation_size = RedValues(network),
          .actions = ActionSpace::Discrete(RedActions(network).count),
          .max_episode_steps = max_steps,
          .fixed_length = true,
          .masked = true};
}

}  // namespace dray::cage2
