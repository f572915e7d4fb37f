#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/rng.h"

namespace dray::cage2 {

// A blue player that is no network: to measure the game by, and trained policies against.
class ScriptedPolicy {
 public:
  virtual ~ScriptedPolicy() = default;

  // An episode begins.
  virtual void Reset() {}
  // The action 0 ... 144 that follows this observation.
  virtual int Act(uint64_t observation, Rng& rng) = 0;
};

// By name, or an Error that lists them:
//   sleep                 does nothing
//   random                any of the 145 actions, all as likely
//   react_remove_restore  looks to the host that was exploited last of those that look compromised:
//                         removes red if it is said to be a user there, otherwise restores it
//   actions:FILE          the actions of a file, one after the other
std::unique_ptr<ScriptedPolicy> MakeScriptedPolicy(const std::string& name);

// Numbers 0 ... 144 with white space between them, one for each step; after the last one blue
// sleeps. Anything else is an Error that names `what` and the line.
std::vector<int> ParseActions(std::string_view text, const std::string& what);

}  // namespace dray::cage2
