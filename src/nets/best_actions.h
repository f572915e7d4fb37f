#pragma once

#include <cstdint>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/player.h"
#include "src/nets/policy.h"

namespace dray {

// Plays a trained policy's most probable actions, or their means if they are continuous.
class BestActions : public Player {
 public:
  BestActions(const EnvSpec& spec, const NetworkConfig& network)
      : actions_(spec.actions), policy_(spec, network) {}

  // Loads published weights. Throws an Error if they belong to a different network.
  void Load(std::string_view weights) { policy_.Load(weights); }
  int64_t version() const { return policy_.version(); }

  void Begin(int first, int count) override;
  void Act(const Observed& observed, const ActionSlots& actions) override;

 private:
  const ActionSpace actions_;
  Policy policy_;
};

}  // namespace dray
