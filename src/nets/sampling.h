#pragma once

#include <cstdint>
#include <span>

#include "src/base/rng.h"

namespace dray {

// Drawing actions for one environment, in plain C++: a shard does this for every environment and
// step. The learner's differentiable twins are in distributions.h; a test holds the two together.

struct Draw {
  int32_t action;
  float log_prob;
};

// Draws from the softmax of the logits, over allowed actions alone (an empty mask allows all): a
// forbidden action has probability exactly 0.
Draw DrawCategorical(std::span<const float> logits, std::span<const uint8_t> mask, Rng& rng);

// The most probable allowed action; the lowest index among equals.
int32_t BestAction(std::span<const float> logits, std::span<const uint8_t> mask);

// Draws each value from its own normal distribution and returns the summed log-probability.
float DrawGaussian(std::span<const float> means, std::span<const float> log_stds, Rng& rng,
                   std::span<float> values);

}  // namespace dray
