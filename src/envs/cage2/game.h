#pragma once

#include "src/base/bytes.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// The game of CAGE challenge 2: blue defends a network (by default CybORG's Scenario2) against red,
// step by step. Reproduces the original bit for bit, including its bugs, which are noted in the
// code. Episodes do not end by themselves: the caller counts the steps. Steps allocate no memory.
class Game {
 public:
  explicit Game(const Rules& rules = {}) : rules_(rules) {}

  // Begins an episode against this agent; throws an Error if it cannot play in this network. Blue's
  // first observation is all zeros.
  void Reset(RedAgent red);
  // Plays a step: blue, green and red act, then the reward is computed and blue observes. Actions
  // are those of blue_actions.h. `handed` is red's move if the agent is kSleep or kLearned.
  StepRecord Step(int blue_action, Chance& chance, RedMove handed = {});

  const Rules& rules() const { return rules_; }
  const Network& network() const { return *rules_.network; }
  const State& state() const { return state_; }
  // Hosts with a red session of any level, always including the foothold.
  HostMask compromised_hosts() const { return HostsWithSession(state_); }
  // Hosts where a Remove would end a session.
  HostMask removable_hosts() const { return HostsToRemoveFrom(state_); }
  // Hosts with a privileged red session. Each costs its weight.
  HostMask privileged_hosts() const { return state_.privileged; }
  // Cost of the current state in tenths of a point, without the price of blue's action: the weights
  // of privileged hosts, and the value of the server's service while it is stopped.
  int damage_tenths() const;

  void Save(ByteWriter& out) const { out.Put(state_); }
  // Throws an Error if the state is damaged.
  void Load(ByteReader& in);

 private:
  Rules rules_;
  State state_;
};

}  // namespace dray::cage2
