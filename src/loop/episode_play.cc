#include "src/loop/episode_play.h"

#include <vector>

#include "src/base/error.h"
#include "src/env/step_check.h"
#include "src/output/format.h"

namespace dray {

std::unique_ptr<BatchEnv> MakeEpisodeEnv(const Config& config, const EnvMaker& make_envs,
                                         int index) {
  return make_envs(
      config.env(),
      {config.evaluation().seed(), RngPurpose::kEvaluation, static_cast<uint64_t>(index)},
      /*count=*/1);
}

Episode PlayEpisode(BatchEnv& env, int index, Player& player, std::string_view side_model,
                    const Watch& watch, const std::function<void()>& step) {
  const EnvSpec& spec = env.spec();
  const size_t width = spec.observation_size;
  std::vector<float> observation(width), final_observation(width), values(spec.actions.low.size());
  std::vector<uint8_t> mask(spec.masked ? spec.actions.outputs() : 0);
  std::vector<int16_t> bag(spec.bag.indices());
  float reward = 0;
  uint8_t terminated = 0, truncated = 0;
  const StepSlots slots{observation,       mask, {&reward, 1}, {&terminated, 1}, {&truncated, 1},
                        final_observation, bag};
  // As at the end of a run: nothing is tried out any more.
  env.OnRollout({.progress = 1, .side_model = side_model});
  env.Reset(observation, mask, bag);
  CheckReset(spec, observation, mask, index);
  player.Begin(index, /*count=*/1);
  const auto say = [&](const std::string& text) {
    if (watch.text) watch.text(text);
  };
  say(Cat("Episode ", index + 1));
  for (int64_t taken = 0;; ++taken) {
    if (step) step();
    int32_t action = 0;
    player.Act({observation, mask, bag}, {{&action, 1}, values});
    if (watch.text) watch.text(env.Render(0));
    env.Step({{&action, 1}, values}, slots);
    CheckStep(spec, slots, index, taken);
    if (watch.frame) watch.frame(index, env.Frame(0));
    const std::vector<Episode> ended = env.TakeEpisodes();
    if (ended.empty()) continue;
    if (spec.renders_last_step) say(env.Render(0));
    say(Cat("Return ", ended[0].total_reward, " in ", FormatCounted(ended[0].length, "step")));
    return ended[0];
  }
}

}  // namespace dray
