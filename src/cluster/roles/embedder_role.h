#pragma once

#include <memory>

#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/env/side_learner.h"

namespace dray {

// The side learner. add(samples); update() -> messages; publish() -> model for environments
class EmbedderRole : public DispatchedRole {
 public:
  explicit EmbedderRole(const RoleSettings& settings);

 private:
  std::unique_ptr<SideLearner> learner_;
  Heartbeat heartbeat_;
};

}  // namespace dray
