#include "src/env/action_box.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {

void ClipToBox(const EnvSpec& spec, size_t env, std::span<const float> values,
               std::span<float> clipped) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) {
      throw Failure("environment ", env, " of ", spec.name,
                    " was given an action that is not a number: the policy has diverged; try a "
                    "smaller ppo.learning_rate");
    }
    clipped[k] = std::clamp(values[k], spec.actions.low[k], spec.actions.high[k]);
  }
}

}  // namespace dray
