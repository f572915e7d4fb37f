#pragma once

#include <cstdint>
#include <span>

#include "src/env/env.h"

namespace dray {

// Numbers of an environment beyond this are taken for a mistake: sums of their squares would leave
// the range of a float.
inline constexpr float kMostMagnitude = 1e12f;

// What environments wrote can be learned from: rewards and observations are finite and of a sane
// size, every mask allows an action. Anything else is an Error that names environment, step and
// field. `first_env` is the batch's environment 0 among the run's, `step` counts those of the
// rollout or episode.
void CheckReset(const EnvSpec& spec, std::span<const float> observations,
                std::span<const uint8_t> masks, int first_env);
void CheckStep(const EnvSpec& spec, const StepSlots& slots, int first_env, int64_t step);

}  // namespace dray
