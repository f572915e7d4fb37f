#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {

// The reduced action set of the winning team: outputs that stand for the actions that are of use,
// 36 in Scenario2. First restore, analyse and remove on each host of a kind other than op_host, the
// foothold apart; then "the next decoy" on each of them, from a list in the team's order of
// preference.
struct ReducedTable {
  struct DecoyList {
    int host = kNoHost;
    std::vector<int> actions;
  };

  explicit ReducedTable(const Network& network);

  int outputs() const { return static_cast<int>(plain.size() + lists.size()); }

  const Network* network;
  std::vector<int> plain;
  std::vector<DecoyList> lists;
};

// What was played of it in an episode. Plain data, which an episode begins with anew.
struct ReducedActions {
  // The action that an output stands for now, which then counts as played. A list that is used up
  // gives its first decoy again, which is of no use. A restore of a host makes its whole list
  // available.
  int Take(int output, const ReducedTable& table);
  // An action that was played without Take, such as a scripted opening.
  void Note(int action, const ReducedTable& table);

  // Bit i for each list i that is used up.
  uint16_t exhausted(const ReducedTable& table) const;
  // Whether it names only decoys that there are: for one that was saved.
  bool Plausible(const ReducedTable& table) const;

  // By list: bit i when number i of it was placed since the host's last restore.
  std::array<uint8_t, kMostHosts> used{};
};

}  // namespace dray::cage2
