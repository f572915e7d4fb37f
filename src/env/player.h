#pragma once

#include <cstdint>
#include <span>

namespace dray {

// A player's view of N environments; see StepSlots.
struct Observed {
  std::span<const float> observations;  // [N, observation_size]
  std::span<const uint8_t> masks;       // [N, actions], or empty
  std::span<const int16_t> bags;        // [N, bag.indices()]
};

// Memory for a player's actions; see Actions.
struct ActionSlots {
  std::span<int32_t> indices;  // [N] if actions are discrete
  std::span<float> values;     // [N, outputs] if they are continuous
};

// Chooses actions in N environments, for evaluation or to be watched.
class Player {
 public:
  virtual ~Player() = default;

  // Called when an episode begins in each of `count` environments; the episodes are numbered first
  // ... first + count - 1.
  virtual void Begin(int first, int count) = 0;
  virtual void Act(const Observed& observed, const ActionSlots& actions) = 0;
};

}  // namespace dray
