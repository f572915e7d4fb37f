#pragma once

#include <cmath>
#include <numbers>

#include "src/config/config.pb.h"

namespace dray {

// Passes over a batch for the value.
inline int ValueEpochs(const PpoConfig& ppo) {
  return ppo.value_epochs() > 0 ? ppo.value_epochs() : ppo.policy_epochs();
}

// Learning rate of the critic, before any schedule.
inline double ValueLearningRate(const PpoConfig& ppo) {
  return ppo.value_learning_rate() > 0 ? ppo.value_learning_rate() : ppo.learning_rate();
}

// Returns true if actor and critic have an optimiser each, not one for both.
inline bool SeparateOptimizers(const PpoConfig& ppo) {
  return ValueEpochs(ppo) != ppo.policy_epochs() || ValueLearningRate(ppo) != ppo.learning_rate();
}

// Factor of a scheduled setting when a share of the updates remains, from 1 to nearly 0.
inline double ScheduleFactor(Schedule schedule, double remaining) {
  switch (schedule) {
    case LINEAR:
      return remaining;
    case COSINE:
      return 0.5 * (1 - std::cos(std::numbers::pi * remaining));
    case CONSTANT:
      break;
  }
  return 1;
}

}  // namespace dray
