#pragma once

#include <cstdint>
#include <vector>

#include "src/base/rng.h"
#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// A smooth function over orders with a known optimum, drawn by a seed: every pair of items that
// stands the other way round than in a hidden order costs something, and the first place most.
class SyntheticObjective {
 public:
  SyntheticObjective(const Orders& orders, uint64_t seed);

  // Every order's value, about -100 to 0.
  const std::vector<double>& truth() const { return truth_; }
  // By looking at all of them.
  int best() const;

  // As a training would give it: the mean of episodes that scatter with this standard deviation.
  TrialResult Sample(int order, double episode_deviation, int64_t episodes, Rng& rng) const;

 private:
  std::vector<double> truth_;
};

}  // namespace dray
