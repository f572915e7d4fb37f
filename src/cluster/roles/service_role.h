#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/base/heartbeat.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/env/service.h"

namespace dray {

// The service of the run's task for shards elsewhere, under the role's name `oracle`.
// solve(request) -> answer; requests of several threads are merged.
class ServiceRole : public DispatchedRole {
 public:
  explicit ServiceRole(const RoleSettings& settings);
  // Hosts something other than the config's service.
  explicit ServiceRole(std::unique_ptr<ServiceHost> host);

 private:
  std::string Solve(std::string_view request);
  void AddTo(HeartbeatReply& beat) const;

  std::unique_ptr<ServiceHost> host_;
  Heartbeat heartbeat_;
  std::atomic<int64_t> calls_ = 0;
  std::atomic<int> under_way_ = 0;
};

}  // namespace dray
