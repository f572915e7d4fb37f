#pragma once

#include <cstdint>
#include <vector>

#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"
#include "src/envs/dvrptw/riders.h"

namespace dray::dvrptw {

// Riders of a generated city who answer what a policy proposes that acts uniformly within its mask.
class SimulatedRiders {
 public:
  SimulatedRiders(int riders, double noise, uint64_t seed);

  // The answers of whole episodes of every rider, masked by `beliefs` and, with probability
  // epsilon, by a random type instead. Episodes go on from call to call.
  std::vector<Choice> Play(const Beliefs& beliefs, double epsilon, int episodes);

  // Share of riders whose type is believed.
  double ShareRight(const Beliefs& beliefs) const;

 private:
  std::vector<Rider> riders_;
  double noise_;
  uint64_t seed_;
  uint64_t episode_ = 0;
};

}  // namespace dray::dvrptw
