#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/player.h"
#include "src/env/registry.h"

namespace dray {

// What somebody who watches is told.
struct Watch {
  // What a person would want to read: before each step, and at the end of an episode.
  std::function<void(const std::string& text)> text = nullptr;
  // BatchEnv::Frame after each step, where the task has such; `index` is the episode's.
  std::function<void(int index, std::string frame)> frame = nullptr;
};

// One episode of one environment. Its chance is a function of the config's evaluation seed and the
// index alone, so that two players are compared on equal ground. `side_model` is what the side
// learner published last, for tasks that have one; `step` is called before each.
Episode PlayEpisode(const Config& config, const EnvMaker& make_envs, int index, Player& player,
                    std::string_view side_model = {}, const Watch& watch = {},
                    const std::function<void()>& step = nullptr);

}  // namespace dray
