#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "src/base/rng.h"
#include "src/env/player.h"
#include "src/envs/delivery/episode_key.h"

namespace dray::delivery {

// A policy that decides for one environment at a time, without memory.
class OneByOne : public Player {
 public:
  // Returns the action in an environment, given its mask.
  using Choose = std::function<int32_t(int env, std::span<const uint8_t> mask)>;

  explicit OneByOne(Choose choose) : choose_(std::move(choose)) {}

  void Begin(int /*first*/, int /*count*/) override {}
  void Act(const Observed& observed, const ActionSlots& actions) override {
    const size_t count = observed.masks.size() / actions.indices.size();
    for (size_t i = 0; i < actions.indices.size(); ++i) {
      actions.indices[i] = choose_(i, observed.masks.subspan(i * count, count));
    }
  }

 private:
  Choose choose_;
};

// Returns the random numbers of a policy's action at one step, the same for any order of play.
inline Rng ActionRng(const EpisodeKey& key, int step, uint64_t seed) {
  return Rng(seed ^ (key.env << 32) ^ (key.episode << 16), RngPurpose::kAction, step);
}

}  // namespace dray::delivery
