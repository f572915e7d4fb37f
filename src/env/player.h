#pragma once

#include <cstdint>
#include <span>

namespace dray {

// What a player sees of N environments, as StepSlots has it.
struct Observed {
  std::span<const float> observations;  // [N, observation_size]
  std::span<const uint8_t> masks;       // [N, actions], or empty
  std::span<const int16_t> bags;        // [N, bag.indices()]
};

// Where a player writes its actions, as Actions has them.
struct ActionSlots {
  std::span<int32_t> indices;  // [N], when actions are discrete
  std::span<float> values;     // [N, outputs], when they are continuous
};

// Who acts in N environments that are played to be measured or looked at.
class Player {
 public:
  virtual ~Player() = default;

  // An episode begins in each of `count` environments: the numbers first ... first + count - 1.
  virtual void Begin(int first, int count) = 0;
  virtual void Act(const Observed& observed, const ActionSlots& actions) = 0;
};

}  // namespace dray
