#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/waves/day.h"
#include "src/envs/waves/policies/effort.h"

namespace dray::waves {

enum class Verdict : uint8_t { kOpen, kDispatch, kHold };

// The open requests of an epoch together with one sampled future, and a plan for both: vehicles
// leave now or at a later epoch, once all their requests have arrived.
class Scenario {
 public:
  // Samples the arrivals of the next `lookahead` epochs.
  Scenario(const Day& day, int lookahead, Rng& rng);

  // Improves the plan under these verdicts on the open requests. Dispatched ones leave now, held
  // ones in the next epoch or later. Continues from the plan before as far as it still fits.
  void Improve(std::span<const Verdict> verdicts, const Effort& effort);

  // Returns for each open request whether its vehicle leaves now: with a dispatched request, or
  // with nothing that is held or yet to come.
  std::vector<uint8_t> LeavesNow(std::span<const Verdict> verdicts) const;
  // Cost of the plan.
  int64_t cost() const { return cost_; }

 private:
  bool GoesNow(const std::vector<int>& route, std::span<const Verdict> verdicts) const;
  std::vector<std::vector<int>> Compatible() const;

  int open_;              // number of open requests; they are the first stops
  Ticks departure_;       // when this epoch's vehicles leave
  Ticks next_departure_;  // when the next epoch's vehicles leave
  PrizeProblem problem_;
  uint64_t seed_;
  bool improved_ = false;
  std::vector<std::vector<int>> plan_;
  int64_t cost_ = 0;
};

}  // namespace dray::waves
