#include "src/envs/cage2/notes.h"

#include <algorithm>

#include "src/base/counts.h"
#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

// No host benefits from more decoys.
constexpr int kManyDecoys = 4;

void Age(int32_t& since, bool seen) {
  if (seen) {
    since = 0;
  } else if (since >= 0) {
    ++since;
  }
}

float Recency(int32_t since) { return since < 0 ? 0.0f : 1.0f / static_cast<float>(since + 1); }

}  // namespace

void Notes::OnStep(uint64_t observation, const Network& network) {
  for (int host = 0; host < network.hosts; ++host) {
    const Activity activity = ActivityIn(observation, host, network);
    Age(since_scan_[host], activity == Activity::kScan);
    Age(since_attack_[host], activity == Activity::kExploit);
  }
}

void Notes::Write(const State& state, float progress, const Network& network,
                  std::span<float> values) const {
  for (int host = 0; host < network.hosts; ++host) {
    values[3 * host] =
        static_cast<float>(std::min<int>(state.decoys[host], kManyDecoys)) / kManyDecoys;
    values[3 * host + 1] = Recency(since_scan_[host]);
    values[3 * host + 2] = Recency(since_attack_[host]);
  }
  // Blue knows that it restored the server.
  values[3 * network.hosts] = state.server_vulnerable ? 0.0f : 1.0f;
  values[3 * network.hosts + 1] = progress;
}

bool Notes::plausible() const {
  const auto known = [](int32_t since) { return since == -1 || IsCount(since); };
  return std::ranges::all_of(since_scan_, known) && std::ranges::all_of(since_attack_, known);
}

}  // namespace dray::cage2
