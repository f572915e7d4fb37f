#include "src/envs/cage2/scan_memory.h"

#include <algorithm>

#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

enum : uint8_t { kNever, kEarlier, kLatest };

bool IsRemembered(int host, const Network& network) {
  return network.facts[host].unit != Unit::kOpHost;
}

}  // namespace

int ScanMemory::Values(const Network& network) {
  int count = 0;
  for (int host = 0; host < network.hosts; ++host) count += IsRemembered(host, network) ? 1 : 0;
  return count;
}

void ScanMemory::Look(uint64_t observation, const Network& network) {
  size_t place = 0;
  for (int host = 0; host < network.hosts; ++host) {
    if (!IsRemembered(host, network)) continue;
    if (ActivityIn(observation, host, network) == Activity::kScan) {
      std::replace(values.begin(), values.end(), uint8_t{kLatest}, uint8_t{kEarlier});
      values[place] = kLatest;
      return;
    }
    ++place;
  }
}

bool ScanMemory::Plausible() const {
  return std::all_of(values.begin(), values.end(), [](uint8_t v) { return v <= kLatest; });
}

}  // namespace dray::cage2
