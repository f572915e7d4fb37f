#pragma once

#include "src/learn/learner.h"
#include "src/roles/call_summaries.h"
#include "src/roles/dispatch.h"
#include "src/roles/messages.pb.h"

namespace dray {

// update(orders, batch, ...) -> weights; summary(call) -> UpdateReport; publish() -> weights;
// export() -> file for torch.load; load(state, least version)
class LearnerRole : public DispatchedRole {
 public:
  explicit LearnerRole(const RoleSettings& settings);

 private:
  Learner learner_;
  CallSummaries summaries_;
};

}  // namespace dray
