#pragma once

#include <cstdint>
#include <span>

#include "src/base/rng.h"

namespace dray {

// Draws actions for one environment in plain C++, because a shard does this for every environment
// and step. The learner's differentiable counterparts are in distributions.h; a test checks that
// both agree.

struct Draw {
  int32_t action;
  float log_prob;
};

// Draws from the softmax of the logits over the allowed actions (an empty mask allows all). A
// forbidden action has probability exactly 0.
Draw DrawCategorical(std::span<const float> logits, std::span<const uint8_t> mask, Rng& rng);

// Returns the most probable allowed action; the lowest index on ties.
int32_t BestAction(std::span<const float> logits, std::span<const uint8_t> mask);

// Draws each value from its own normal distribution and returns the summed log-probability.
float DrawGaussian(std::span<const float> means, std::span<const float> log_stds, Rng& rng,
                   std::span<float> values);

}  // namespace dray
