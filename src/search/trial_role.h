#pragma once

#include <atomic>

#include "src/base/heartbeat.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"

namespace dray {

// Runs a whole training in one call. train(checkpoint to start from, or nothing) returns a
// TrialReply with the small files of its run folder, which is then removed; stop() cancels it: its
// reply is empty.
class TrialRole : public DispatchedRole {
 public:
  explicit TrialRole(const RoleSettings& settings);
  ~TrialRole() override { RemoveFolder(); }

 private:
  void RemoveFolder();
  std::string Train(std::string_view init_from);

  Config config_;
  std::string folder_;
  Heartbeat heartbeat_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace dray
