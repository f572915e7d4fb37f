#pragma once

#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"

namespace dray {

// Chooses by trials on its own node what the config leaves open for a GPU: the learner's device,
// and the task's service. settle(workers) -> packed: the config, then one line per choice
class SettlerRole : public DispatchedRole {
 public:
  explicit SettlerRole(const RoleSettings& settings);

 private:
  Heartbeat heartbeat_;
};

}  // namespace dray
