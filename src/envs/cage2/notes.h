#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/cage2/game.h"

namespace dray::cage2 {

// What blue could note down for itself in an episode, beyond the 52 bits of the moment: nothing
// that it did not see or do. Plain data.
class Notes {
 public:
  // Per host: its decoys, how recently it was scanned and attacked; then whether Op_Server0 was
  // restored, and the time.
  static constexpr int kValues = 3 * kHosts + 2;

  // After each step, with what blue saw.
  void OnStep(uint64_t observation);
  // `progress`: the share of the episode that is over. All values are from 0 to 1.
  void Write(const State& state, float progress, std::span<float> values) const;

  bool plausible() const;

 private:
  // Steps since it was last seen, from 0; -1: never.
  std::array<int32_t, kHosts> since_scan_ = Never();
  std::array<int32_t, kHosts> since_attack_ = Never();

  static constexpr std::array<int32_t, kHosts> Never() {
    std::array<int32_t, kHosts> never{};
    never.fill(-1);
    return never;
  }
};

}  // namespace dray::cage2
