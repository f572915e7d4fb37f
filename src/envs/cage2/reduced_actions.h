#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {

// The reduced action set of the winning team: outputs that stand for the useful actions, 36 in
// Scenario2. First restore, analyse and remove on each host except the foothold and hosts of kind
// op_host; then "next decoy" on each of them, from a list in the team's order of preference.
struct ReducedTable {
  struct DecoyList {
    int host = kNoHost;
    std::vector<int> actions;
  };

  explicit ReducedTable(const Network& network);

  int outputs() const { return plain.size() + lists.size(); }

  const Network* network;
  std::vector<int> plain;
  std::vector<DecoyList> lists;
};

// Decoys placed in an episode. Plain data, reset at the start of each episode.
struct ReducedActions {
  // Returns the action that an output stands for now and records it as played. A list that is used
  // up returns its first decoy again, which has no effect. Restoring a host resets its list.
  int Take(int output, const ReducedTable& table);
  // Records an action that was played without Take, such as a scripted opening.
  void Note(int action, const ReducedTable& table);

  // Returns bit i for each list i that is used up.
  uint16_t exhausted(const ReducedTable& table) const;
  // Returns true if all decoys exist; checks loaded data.
  bool Plausible(const ReducedTable& table) const;

  // Indexed by list: bit i if its decoy i was placed since the host's last restore.
  std::array<uint8_t, kMostHosts> used{};
};

}  // namespace dray::cage2
