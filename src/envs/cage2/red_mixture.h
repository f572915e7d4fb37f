#pragma once

#include <array>
#include <string>

#include "src/base/rng.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// Who attacks, episode by episode: one agent, or several with shares that sum to 1.
class RedMixture {
 public:
  // "meander", or "0.5 bline, 0.3 meander, 0.2 learned". Anything else is an Error.
  explicit RedMixture(const std::string& text);

  // Whether this agent ever attacks.
  bool Includes(RedAgent red) const { return shares_[static_cast<size_t>(red)] > 0; }
  // Draws only when there is a choice.
  RedAgent Draw(Rng& rng) const;

 private:
  std::array<double, kRedAgents> shares_{};  // by RedAgent
};

}  // namespace dray::cage2
