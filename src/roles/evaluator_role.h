#pragma once

#include "src/roles/dispatch.h"
#include "src/roles/messages.pb.h"
#include "src/run/evaluator.h"

namespace dray {

// evaluate(weights, learned) -> EvaluationReport
class EvaluatorRole : public DispatchedRole {
 public:
  explicit EvaluatorRole(const RoleSettings& settings);

 private:
  Evaluator evaluator_;
};

}  // namespace dray
