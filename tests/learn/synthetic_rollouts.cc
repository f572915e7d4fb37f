#include "tests/learn/synthetic_rollouts.h"

#include <algorithm>

#include "src/nets/policy.h"
#include "src/nets/sampling.h"
#include "src/rollout/batch.h"

namespace dray {

SharedBlob Roll(const EnvSpec& spec, const NetworkConfig& network, const std::string& weights,
                const SyntheticShape& shape, const SyntheticTask& task) {
  Policy policy(spec, network);
  policy.Load(weights);
  BatchWriter batch(BatchShape::Of(spec, shape.steps, shape.envs));
  auto& columns = batch.columns();
  const size_t width = static_cast<size_t>(spec.observation_size);
  const size_t mask_width = spec.masked ? static_cast<size_t>(spec.actions.count) : 0;
  for (int t = 0; t <= shape.steps; ++t) {
    for (int e = 0; e < shape.envs; ++e) {
      const size_t i = static_cast<size_t>(t) * shape.envs + e;
      const SyntheticStep step = task(t, shape.first_env + e);
      std::ranges::copy(step.observation, columns.observations.begin() + i * width);
      std::ranges::copy(step.mask, columns.masks.begin() + i * mask_width);
      if (t == shape.steps) continue;
      std::ranges::copy(
          step.appraisals,
          columns.appraisals.begin() + static_cast<std::ptrdiff_t>(i * step.appraisals.size()));
      Rng rng(1, RngPurpose::kTest, static_cast<uint64_t>(t * 1000 + shape.first_env + e));
      const auto outputs = policy.Outputs(step.observation);
      if (spec.actions.discrete()) {
        const Draw draw = DrawCategorical(outputs, step.mask, rng);
        columns.action_indices[i] = draw.action;
        columns.log_probs[i] = draw.log_prob;
      } else {
        columns.log_probs[i] = DrawGaussian(
            outputs, policy.log_std(), rng,
            columns.action_values.subspan(i * spec.actions.low.size(), spec.actions.low.size()));
      }
      columns.rewards[i] = step.reward;
      const size_t before = i - static_cast<size_t>(shape.envs);
      const bool begins = t == 0 || columns.terminated[before] || columns.truncated[before];
      columns.discounted_returns[i] =
          step.reward + (begins ? 0 : 0.9f * columns.discounted_returns[before]);
      columns.terminated[i] = step.terminated;
      columns.truncated[i] = step.truncated;
      if (step.truncated && !step.terminated) {
        batch.AddCutEpisode(static_cast<int64_t>(i), step.final_observation.empty()
                                                         ? step.observation
                                                         : step.final_observation);
      }
    }
  }
  BatchOrigin origin;
  origin.policy_version = policy.version();
  origin.first_env = shape.first_env;
  return batch.Finish(origin);
}

}  // namespace dray
