#include "src/envs/cage2/red_view.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

constexpr int kActions = 6;  // of RedAction

float Flag(bool value) { return value ? 1.0f : 0.0f; }

void WriteHost(const RedKnowledge& knowledge, int host, std::span<float> values) {
  const auto at = static_cast<size_t>(host);
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
    values[static_cast<size_t>(7 + i)] = Flag((offered >> i & 1) != 0);
  }
}

}  // namespace

RedMove RedMoveOf(int action) {
  DRAY_CHECK_LT(static_cast<unsigned>(action), static_cast<unsigned>(kRedActionCount));
  if (action < kRedSearch) return {};
  if (action < kRedScan) return {RedAction::kDiscoverSystems, action - kRedSearch};
  if (action < kRedExploit) return {RedAction::kDiscoverServices, action - kRedScan};
  if (action < kRedEscalate) return {RedAction::kExploit, action - kRedExploit};
  if (action < kRedImpact) return {RedAction::kEscalate, action - kRedEscalate};
  return {RedAction::kImpact, kOpServer0};
}

void WriteRedMask(const RedKnowledge& knowledge, std::span<uint8_t> mask) {
  std::ranges::fill(mask, uint8_t{0});
  mask[0] = 1;
  for (int subnet = 0; subnet < kSubnets; ++subnet) {
    mask[static_cast<size_t>(kRedSearch + subnet)] = knowledge.subnets >> subnet & 1;
  }
  for (int host = 0; host < kHosts; ++host) {
    const auto at = static_cast<size_t>(host);
    mask[kRedScan + at] = knowledge.Knows(knowledge.addresses, host);
    mask[kRedExploit + at] = knowledge.ports[at] != 0;
    mask[kRedEscalate + at] = knowledge.Knows(knowledge.sessions, host);
  }
  mask[kRedImpact] = knowledge.server_found != 0 && knowledge.Knows(knowledge.sessions, kOpServer0);
}

void WriteRedObservation(const RedKnowledge& knowledge, float progress, std::span<float> values) {
  DRAY_CHECK_EQ(values.size(), static_cast<size_t>(kRedValues));
  for (int host = 0; host < kHosts; ++host) {
    WriteHost(knowledge, host, values.first(kRedHostValues));
    values = values.subspan(kRedHostValues);
  }
  for (int subnet = 0; subnet < kSubnets; ++subnet) {
    values[static_cast<size_t>(subnet)] = Flag((knowledge.subnets >> subnet & 1) != 0);
    values[static_cast<size_t>(kSubnets + subnet)] = Flag((knowledge.searched >> subnet & 1) != 0);
  }
  values = values.subspan(2 * kSubnets);
  for (int i = 0; i < kActions; ++i) {
    values[static_cast<size_t>(i)] = Flag(static_cast<int>(knowledge.last_action) == i);
  }
  values = values.subspan(kActions);
  values[0] = Flag(knowledge.last_succeeded != 0);
  values[1] = Flag(knowledge.last_saw_ports != 0);
  values[2] = Flag(knowledge.server_found != 0);
  values[3] = progress;
}

EnvSpec RedSpec(int max_steps) {
  return {.name = "cage2_red",
          .observation_size = kRedValues,
          .actions = ActionSpace::Discrete(kRedActionCount),
          .max_episode_steps = max_steps,
          .fixed_length = true,
          .masked = true};
}

}  // namespace dray::cage2
