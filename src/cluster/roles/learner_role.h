#pragma once

#include "src/cluster/roles/call_summaries.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/learn/learner.h"

namespace dray {

// update(header, batch, ...) -> weights; summary(call) -> UpdateReport; publish() -> weights;
// export() -> file for torch.load; load(state, least version); save() -> state; snapshot(version)
// -> state, or nothing if the learner is no longer at that version. All but summary wait for the
// call before them.
class LearnerRole : public DispatchedRole {
 public:
  explicit LearnerRole(const RoleSettings& settings);

 private:
  const bool packed_batches_;  // an argument has the batches of several shards
  Learner learner_;
  CallSummaries summaries_;
};

}  // namespace dray
