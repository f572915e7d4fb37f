#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/side_learner.h"
#include "src/env/vec_env.h"

namespace dray {

// A task's entry in the registry: its environments, and what it offers beside them. What a task
// does not offer is null.
struct Task {
  std::string_view name;

  // A batch of `count` environments as the config asks.
  std::unique_ptr<BatchEnv> (*make_envs)(const EnvConfig& config, const EnvStreams& streams,
                                         int count);

  // What learns beside the policy; returns null when these settings need none.
  std::unique_ptr<SideLearner> (*make_side_learner)(const Config& config) = nullptr;
};

// A batch of the plain environment T, made from its own message in the config.
template <typename T, const auto& message>
std::unique_ptr<BatchEnv> BatchOf(const EnvConfig& config, const EnvStreams& streams, int count) {
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) {
    envs.push_back(std::make_unique<T>(config.GetExtension(message)));
  }
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

// Each task is a function of its folder's name, here: the registry finds it by src/envs/envs.bzl.
namespace tasks {}

}  // namespace dray
