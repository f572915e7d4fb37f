#include "src/envs/cage2/chance.h"

#include <bit>

namespace dray::cage2 {
namespace {

constexpr uint32_t kDetectedBelow = 0.95 * 0x1.0p32;

}  // namespace

Host RngChance::PickHost(HostMask candidates) {
  const uint32_t count = Count(candidates);
  return HostAt(candidates, rng_.Below(count));
}

Exploit RngChance::PickExploit(ExploitMask options) {
  const bool highest = rng_.Next32() >> 30 != 0;
  if (highest) return Enumerator<Exploit>(std::countr_zero(options));
  const HostMask others = options & (options - 1u);
  const uint32_t count = Count(others);
  return Enumerator<Exploit>(HostAt(others, rng_.Below(count)));
}

bool RngChance::Detects() { return rng_.Next32() < kDetectedBelow; }

int RngChance::PickSession(int count) { return rng_.Below(count); }

Host RngChance::PickGreenScan(HostMask candidates) {
  const uint32_t word = rng_.Next32();
  if (word >> 31 == 0) return kNoHost;
  const uint32_t count = Count(candidates);
  return HostAt(candidates, (word & 0x7fffffff) % count);
}

}  // namespace dray::cage2
