#include "src/envs/cage2/scan_memory.h"

#include <algorithm>

#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

enum : uint8_t { kNever, kEarlier, kLatest };

}  // namespace

void ScanMemory::Look(uint64_t observation) {
  for (size_t i = 0; i < kRememberedHosts.size(); ++i) {
    if (ActivityIn(observation, kRememberedHosts[i]) != Activity::kScan) continue;
    std::replace(values.begin(), values.end(), uint8_t{kLatest}, uint8_t{kEarlier});
    values[i] = kLatest;
    return;
  }
}

bool ScanMemory::Plausible() const {
  return std::all_of(values.begin(), values.end(), [](uint8_t v) { return v <= kLatest; });
}

}  // namespace dray::cage2
