#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/envs/registry.h"

namespace dray {

// Who acts in an episode that is played to be looked at or measured.
class Player {
 public:
  virtual ~Player() = default;

  // Episode number `index` begins.
  virtual void Begin(int index) = 0;
  // What is known of the present state, as StepSlots has it; the action goes to `index`, or to
  // `values` when actions are continuous.
  struct Sight {
    std::span<const float> observation;
    std::span<const uint8_t> mask;
    std::span<const int16_t> bag;
  };
  virtual void Act(const Sight& sight, int32_t& index, std::span<float> values) = 0;
};

// Called with what a person would want to read: before each step, and at the end of an episode.
using Watch = std::function<void(const std::string& text)>;

// One episode of one environment. Its chance is a function of the config's evaluation seed and the
// index alone, so that two players are compared on equal ground. `side_model` is what the side
// learner published last, for tasks that have one; `step` is called before each.
Episode PlayEpisode(const Config& config, const EnvMaker& make_envs, int index, Player& player,
                    std::string_view side_model = {}, const Watch& watch = nullptr,
                    const std::function<void()>& step = nullptr);

}  // namespace dray
