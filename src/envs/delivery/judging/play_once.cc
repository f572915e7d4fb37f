#include "src/envs/delivery/judging/play_once.h"

#include <cstdint>
#include <vector>

#include "src/base/error.h"

namespace dray::delivery {

void PlayOnce(BatchEnv& env, Player& player, const Progress& progress) {
  const EnvSpec& spec = env.spec();
  DRAY_CHECK(spec.fixed_length);
  const size_t n = env.size();
  const size_t width = spec.observation_size;
  std::vector<float> observations(n * width), finals(n * width), rewards(n);
  std::vector<uint8_t> masks(n * static_cast<size_t>(spec.actions.count));
  std::vector<uint8_t> terminated(n), truncated(n);
  std::vector<int16_t> bags(n * static_cast<size_t>(spec.bag.indices()));
  std::vector<int32_t> actions(n);
  const StepSlots slots{observations, masks, rewards, terminated, truncated, finals, bags};
  env.Reset(observations, masks, bags);
  player.Begin(0, env.size());
  for (int step = 0; step < spec.max_episode_steps; ++step) {
    player.Act({observations, masks, bags}, {actions, {}});
    env.Step({.indices = actions, .values = {}}, slots);
    progress(step + 1, spec.max_episode_steps);
  }
}

}  // namespace dray::delivery
