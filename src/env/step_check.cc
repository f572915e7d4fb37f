#include "src/env/step_check.h"

#include <algorithm>
#include <bit>
#include <string>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/fields.h"

namespace dray {
namespace {

constexpr int64_t kAtReset = -1;

// Bits of a magnitude are ordered as magnitudes are, with infinity and what is no number above all:
// comparisons of whole numbers, which compilers do for many at once.
bool Sane(std::span<const float> numbers) {
  constexpr uint32_t kNoSign = 0x7fffffff;
  uint32_t most = 0;
  for (const float number : numbers) {
    most = std::max(most, std::bit_cast<uint32_t>(number) & kNoSign);
  }
  return most <= std::bit_cast<uint32_t>(kMostMagnitude);
}

size_t FirstInsane(std::span<const float> numbers) {
  size_t at = 0;
  while (Sane(numbers.subspan(at, 1))) ++at;
  return at;
}

struct Place {
  const EnvSpec& spec;
  int first_env;
  int64_t step;

  Error Named(size_t env, const std::string& what) const {
    // An environment of the user's own has no settings by its name.
    const bool has_settings = FindField(*EnvConfig::descriptor(), spec.name) != nullptr;
    return Failure("environment ", static_cast<size_t>(first_env) + env, " of ", spec.name,
                   step == kAtReset ? ", at its start" : Cat(", step ", step), ": ", what,
                   ", which no policy can learn from: check ",
                   has_settings ? Cat("the settings env.", spec.name, ".* and the data they name")
                                : "the environment and its settings");
  }
};

void CheckNumbers(const Place& place, std::span<const float> numbers, size_t width,
                  size_t first_row, const char* field) {
  if (Sane(numbers)) return;
  const size_t at = FirstInsane(numbers);
  const std::string which = width > 1 ? Cat("[", at % width, "]") : "";
  throw place.Named(first_row + at / width, Cat(field, which, " is ", numbers[at]));
}

void CheckMasks(const Place& place, std::span<const uint8_t> masks) {
  if (!place.spec.masked) return;
  const size_t width = place.spec.actions.outputs();
  for (size_t start = 0; start < masks.size(); start += width) {
    uint8_t any = 0;
    for (const uint8_t allowed : masks.subspan(start, width)) any |= allowed;
    if (!any) throw place.Named(start / width, "its mask allows no action");
  }
}

}  // namespace

void CheckReset(const EnvSpec& spec, std::span<const float> observations,
                std::span<const uint8_t> masks, int first_env) {
  const Place place{spec, first_env, kAtReset};
  CheckNumbers(place, observations, spec.observation_size, 0, "observation");
  CheckMasks(place, masks);
}

void CheckStep(const EnvSpec& spec, const StepSlots& slots, int first_env, int64_t step) {
  const Place place{spec, first_env, step};
  const size_t width = spec.observation_size;
  CheckNumbers(place, slots.rewards, 1, 0, "reward");
  CheckNumbers(place, slots.observations, width, 0, "observation");
  CheckMasks(place, slots.masks);
  for (size_t i = 0; i < slots.rewards.size(); ++i) {
    if (!slots.terminated[i] && !slots.truncated[i]) continue;
    CheckNumbers(place, slots.final_observations.subspan(i * width, width), width, i,
                 "final observation");
  }
}

}  // namespace dray
