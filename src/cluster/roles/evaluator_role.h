#pragma once

#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/loop/evaluator.h"

namespace dray {

// evaluate(weights, side_model) -> EvaluationReport
class EvaluatorRole : public DispatchedRole {
 public:
  explicit EvaluatorRole(const RoleSettings& settings);

 private:
  Evaluator evaluator_;
};

}  // namespace dray
