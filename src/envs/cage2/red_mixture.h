#pragma once

#include <array>
#include <string>

#include "src/base/rng.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// Distribution of the attacker per episode: one agent, or several with shares that sum to 1.
class RedMixture {
 public:
  // Parses a Mixture of agents, as in "0.5 bline, 0.3 meander, 0.2 learned".
  explicit RedMixture(const std::string& text);

  // Returns true if the agent ever attacks.
  bool Includes(RedAgent red) const { return shares_[Index(red)] > 0; }
  // Draws an agent. Uses the generator only if there is a choice.
  RedAgent Draw(Rng& rng) const;

 private:
  std::array<double, kRedAgents> shares_{};  // indexed by RedAgent
};

}  // namespace dray::cage2
