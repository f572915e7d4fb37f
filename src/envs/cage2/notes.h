#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/cage2/game.h"

namespace dray::cage2 {

// What blue could note down for itself in an episode, beyond the bits of the moment: nothing
// that it did not see or do. Plain data.
class Notes {
 public:
  // Per host: its decoys, how recently it was scanned and attacked; then whether the server was
  // restored, and the time.
  static int Values(const Network& network) { return 3 * network.hosts + 2; }

  // After each step, with what blue saw.
  void OnStep(uint64_t observation, const Network& network);
  // `progress`: the share of the episode that is over. All values are from 0 to 1.
  void Write(const State& state, float progress, const Network& network,
             std::span<float> values) const;

  bool plausible() const;

 private:
  // Steps since it was last seen, from 0; -1: never.
  std::array<int32_t, kMostHosts> since_scan_ = Never();
  std::array<int32_t, kMostHosts> since_attack_ = Never();

  static constexpr std::array<int32_t, kMostHosts> Never() {
    std::array<int32_t, kMostHosts> never{};
    never.fill(-1);
    return never;
  }
};

}  // namespace dray::cage2
