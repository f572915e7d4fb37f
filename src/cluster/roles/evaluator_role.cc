#include "src/cluster/roles/evaluator_role.h"

namespace dray {

EvaluatorRole::EvaluatorRole(const RoleSettings& settings)
    : DispatchedRole("evaluator"), evaluator_(settings.config()) {
  AddHeartbeat(evaluator_.heartbeat());
  Add("evaluate", 2, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(evaluator_.Compare(arguments[0], arguments[1]).ToBytes());
  });
}

}  // namespace dray
