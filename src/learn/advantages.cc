#include "src/learn/advantages.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

size_t CheckedSize(const Trajectories& t) {
  const size_t size = size_t{1} * t.steps * t.envs;
  DRAY_CHECK_EQ(t.rewards.size(), size);
  DRAY_CHECK_EQ(t.values.size(), size);
  DRAY_CHECK_EQ(t.next_values.size(), size);
  DRAY_CHECK_EQ(t.terminated.size(), size);
  DRAY_CHECK_EQ(t.truncated.size(), size);
  return size;
}

}  // namespace

Targets Gae(const Trajectories& t, float gamma, float lambda, ThreadTeam& team) {
  const size_t size = CheckedSize(t);
  const size_t envs = t.envs;
  Targets targets{std::vector<float>(size), std::vector<float>(size)};
  const auto estimate = [&](size_t i) {
    const float future = t.terminated[i] ? 0.0f : gamma * t.next_values[i];
    const float delta = t.rewards[i] + future - t.values[i];
    const bool ends = t.terminated[i] || t.truncated[i] || i + envs >= size;
    const float trace = ends ? 0.0f : gamma * lambda * targets.advantages[i + envs];
    targets.advantages[i] = delta + trace;
    targets.returns[i] = targets.advantages[i] + t.values[i];
  };
  team.ForRanges(envs, size, [&](size_t first, size_t end) {
    for (size_t step = t.steps; step-- > 0;) {
      for (size_t env = first; env < end; ++env) estimate(step * envs + env);
    }
  });
  return targets;
}

VTraceTargets VTrace(const Trajectories& t, std::span<const float> log_ratios,
                     const VTraceSettings& settings) {
  const size_t size = CheckedSize(t);
  DRAY_CHECK_EQ(log_ratios.size(), size);
  const size_t envs = t.envs;
  VTraceTargets targets{std::vector<float>(size), std::vector<float>(size)};
  for (size_t i = size; i-- > 0;) {
    const float ratio = std::exp(log_ratios[i]);
    const float rho = std::min(settings.rho_bar, ratio);
    const float c = settings.lambda * std::min(settings.c_bar, ratio);
    const float gamma = t.terminated[i] ? 0.0f : settings.gamma;
    const float delta = rho * (t.rewards[i] + gamma * t.next_values[i] - t.values[i]);
    const bool ends = t.terminated[i] || t.truncated[i] || i + envs >= size;
    // vs_{t+1} if the episode goes on, else the value that stands in for the future.
    const float next_vs = ends ? t.next_values[i] : targets.vs[i + envs];
    targets.vs[i] = t.values[i] + delta + gamma * c * (next_vs - t.next_values[i]);
    targets.pg_advantages[i] =
        std::min(settings.rho_bar_pg, ratio) * (t.rewards[i] + gamma * next_vs - t.values[i]);
  }
  return targets;
}

}  // namespace dray
