#pragma once

#include "src/base/bytes.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// The game of CAGE challenge 2: blue defends a network (CybORG's Scenario2, if the rules name no
// other), red breaks in, step by step. It follows the original to the bit, bugs included; each is
// named where it lives. An episode has no end of its own: who plays it counts the steps. A step
// takes no memory from the system.
class Game {
 public:
  explicit Game(const Rules& rules = {}) : rules_(rules) {}

  // Begins an episode against this agent; an Error when it cannot play in this network. Blue's
  // first observation is zeros.
  void Reset(RedAgent red);
  // Blue acts, then green, then red; then the reward is counted, and blue looks. Actions are those
  // of blue_actions.h. `handed` is the move of a red agent that sleeps, or is kLearned.
  StepRecord Step(int blue_action, Chance& chance, RedMove handed = {});

  const Rules& rules() const { return rules_; }
  const Network& network() const { return *rules_.network; }
  const State& state() const { return state_; }
  // Hosts on which red has a session of any level; the foothold always is one.
  HostMask compromised_hosts() const { return HostsWithSession(state_); }
  // Those where a Remove would end one.
  HostMask removable_hosts() const { return HostsToRemoveFrom(state_); }
  // Those where it has privileges: they cost their weight.
  HostMask privileged_hosts() const { return state_.privileged; }
  // A privileged session costs its host's weight, a stopped server what its service is
  // worth. In tenths of a point, without the price of blue's action.
  int damage_tenths() const;

  void Save(ByteWriter& out) const { out.Put(state_); }
  // A damaged state is an Error.
  void Load(ByteReader& in);

 private:
  Rules rules_;
  State state_;
};

}  // namespace dray::cage2
