#include "src/base/error.h"
#include "src/cluster/roles/embedder_role.h"
#include "src/cluster/roles/env_shard_role.h"
#include "src/cluster/roles/evaluator_role.h"
#include "src/cluster/roles/learner_role.h"
#include "src/cluster/roles/oracle_role.h"
#include "src/cluster/roles/parse.h"
#include "src/cluster/roles/role.h"
#include "src/search/trial_role.h"

namespace dray {

std::unique_ptr<Role> MakeRole(std::string_view kind, std::string_view settings) {
  const auto parsed = Parsed<RoleSettings>(settings);
  if (kind == "env_shard") return std::make_unique<EnvShardRole>(parsed);
  if (kind == "learner") return std::make_unique<LearnerRole>(parsed);
  if (kind == "evaluator") return std::make_unique<EvaluatorRole>(parsed);
  if (kind == "embedder") return std::make_unique<EmbedderRole>(parsed);
  if (kind == "oracle") return std::make_unique<OracleRole>(parsed);
  if (kind == "trial") return std::make_unique<TrialRole>(parsed);
  throw Failure("there is no role ", kind);
}

}  // namespace dray
