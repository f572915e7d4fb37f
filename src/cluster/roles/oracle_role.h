#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "src/base/heartbeat.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/oracle/batching.h"
#include "src/oracle/oracle_entry.h"
#include "src/oracle/remote.h"
#include "src/oracle/splitting.h"
#include "src/oracle/timed.h"

namespace dray {

// The task's oracle for shards elsewhere. solve(request) -> reply, both as in oracle/codec.h; what
// comes by several threads at once is answered in one batch.
class OracleRole : public DispatchedRole {
 public:
  explicit OracleRole(const RoleSettings& settings);
  // With an oracle other than the config's.
  OracleRole(const OracleConfig& config, int callers, std::shared_ptr<Oracle> oracle);

 private:
  OracleRole(const TaskOracle& task, int callers);

  std::string Solve(std::string_view request);
  void AddTo(HeartbeatReply& beat) const;

  // The oracle behind this one, in the order in which a batch goes through.
  std::shared_ptr<TimedOracle> timed_;
  std::shared_ptr<SplittingOracle> splitting_;
  BatchingOracle batching_;
  KnownCities cities_;
  Heartbeat heartbeat_;
  std::atomic<int64_t> calls_ = 0;
  std::atomic<int> under_way_ = 0;
};

}  // namespace dray
