#pragma once

#include <memory>

#include "src/embedding/side_learner.h"
#include "src/roles/dispatch.h"
#include "src/roles/messages.pb.h"

namespace dray {

// The side learner. add(observed); update() -> lines for a person; publish() -> what environments
// go by
class EmbedderRole : public DispatchedRole {
 public:
  explicit EmbedderRole(const RoleSettings& settings);

 private:
  std::unique_ptr<SideLearner> learner_;
  Heartbeat heartbeat_;
};

}  // namespace dray
