#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tests/envs/batch_player.h"

namespace dray::delivery {

// Environments of one kind of the delivery task and whoever plays them, from the start of an
// episode.
template <typename E>
struct Game {
  template <typename Config>
  Game(const Config& config, int count, EnvStreams streams)
      : Game(std::make_unique<E>(config, streams, count), streams) {}
  Game(std::unique_ptr<E> made, EnvStreams streams) : env(*made), player(std::move(made), streams) {
    player.Reset();
  }

  // Everybody takes this action, whatever the mask says.
  void StepAll(int action) {
    const std::vector<int32_t> indices(static_cast<size_t>(env.size()), action);
    player.StepWith({.indices = indices, .values = {}});
  }

  E& env;
  BatchPlayer player;
};

}  // namespace dray::delivery
