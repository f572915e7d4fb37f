#pragma once

#include "src/cluster/roles/call_summaries.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/learn/learner.h"

namespace dray {

// update(header, batch, ...) -> weights; summary(call) -> UpdateReport; publish() -> weights;
// export() -> file for torch.load; load(state, least version)
class LearnerRole : public DispatchedRole {
 public:
  explicit LearnerRole(const RoleSettings& settings);

 private:
  Learner learner_;
  CallSummaries summaries_;
};

}  // namespace dray
