#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/player.h"
#include "src/env/registry.h"

namespace dray {

// Callbacks for watching an episode.
struct Watch {
  // Called with text for a person before each step and at the end of an episode.
  std::function<void(const std::string& text)> text = nullptr;
  // Called with BatchEnv::Frame after each step, if the task has frames; `index` is the episode's.
  std::function<void(int index, std::string frame)> frame = nullptr;
};

// Makes the environment of an evaluation episode. Its randomness depends only on the config's
// evaluation seed and the index, so that players are compared on equal terms.
std::unique_ptr<BatchEnv> MakeEpisodeEnv(const Config& config, const EnvMaker& make_envs,
                                         int index);

// Plays that episode. `side_model` is the newest model of the side learner, for tasks that have
// one; `step` is called before each step.
Episode PlayEpisode(BatchEnv& env, int index, Player& player, std::string_view side_model = {},
                    const Watch& watch = {}, const std::function<void()>& step = nullptr);

}  // namespace dray
