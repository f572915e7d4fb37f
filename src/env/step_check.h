#pragma once

#include <cstdint>
#include <span>

#include "src/env/env.h"

namespace dray {

// Largest magnitude accepted from an environment: sums of squares of larger numbers would overflow
// a float.
inline constexpr float kMostMagnitude = 1e12f;

// Checks that the output of environments can be learned from: rewards and observations are finite
// and of a sane size, every mask allows an action. Anything else is an Error that names
// environment, step and field. `first_env` is the index of the batch's first environment in the
// run; `step` counts the steps of the rollout or episode.
void CheckReset(const EnvSpec& spec, std::span<const float> observations,
                std::span<const uint8_t> masks, int first_env);
void CheckStep(const EnvSpec& spec, const StepSlots& slots, int first_env, int64_t step);

}  // namespace dray
