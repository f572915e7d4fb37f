#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/cage2/game.h"

namespace dray::cage2 {

// History of an episode that blue could have recorded itself: only what it saw or did. Plain data.
class Notes {
 public:
  // Number of values: three per host (decoys, time since the last scan and attack), then whether
  // the server was restored, and the time.
  static int Values(const Network& network) { return 3 * network.hosts + 2; }

  // Records what blue saw in a step.
  void OnStep(uint64_t observation, const Network& network);
  // Writes values between 0 and 1. `progress` is the elapsed share of the episode.
  void Write(const State& state, float progress, const Network& network,
             std::span<float> values) const;

  bool plausible() const;

 private:
  // Steps since the last scan or attack was seen; -1: never.
  std::array<int32_t, kMostHosts> since_scan_ = Never();
  std::array<int32_t, kMostHosts> since_attack_ = Never();

  static constexpr std::array<int32_t, kMostHosts> Never() {
    std::array<int32_t, kMostHosts> never{};
    never.fill(-1);
    return never;
  }
};

}  // namespace dray::cage2
