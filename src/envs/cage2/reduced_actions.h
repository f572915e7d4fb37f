#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {

inline constexpr int kPlainOutputs = 27;  // restore, analyse and remove, on nine hosts
inline constexpr int kDecoyOutputs = 9;   // "the next decoy" on each of them
inline constexpr int kReducedOutputs = kPlainOutputs + kDecoyOutputs;

// The reduced action set of the winning team: 36 outputs that stand for the 145 actions that are of
// use. A decoy output takes the next of its host's list, in the team's order of preference. Plain
// data, which an episode begins with anew.
struct ReducedActions {
  // The action 0 ... 144 that an output stands for now, which then counts as played. A list that is
  // used up gives its first decoy again, which is of no use. A restore of a host makes its whole
  // list available.
  int Take(int output);
  // An action that was played without Take, such as a scripted opening.
  void Note(int action);

  // Bit i for each decoy output kPlainOutputs + i whose list is used up.
  uint16_t exhausted() const;
  // Whether it names only decoys that there are: for one that was saved.
  bool Plausible() const;

  // By decoy output: bit i when number i of its list was placed since the host's last restore.
  std::array<uint8_t, kDecoyOutputs> used{};
};

}  // namespace dray::cage2
