#include "src/api/make_role.h"

#include "src/base/error.h"
#include "src/cluster/gpu_claim.h"
#include "src/cluster/roles/embedder_role.h"
#include "src/cluster/roles/env_shard_role.h"
#include "src/cluster/roles/evaluator_role.h"
#include "src/cluster/roles/learner_role.h"
#include "src/cluster/roles/received.h"
#include "src/cluster/roles/service_role.h"
#include "src/cluster/roles/settler_role.h"
#include "src/search/trial_role.h"

namespace dray {
namespace {

template <typename T>
std::unique_ptr<Role> Make(const RoleSettings& settings) {
  return std::make_unique<T>(settings);
}

// Makes a role that claims a GPU for itself if its machine has several.
template <typename T>
std::unique_ptr<Role> MakeOnOwnGpu(const RoleSettings& settings) {
  TakeOwnGpu();
  return std::make_unique<T>(settings);
}

struct RoleKind {
  std::string_view name;
  std::unique_ptr<Role> (*make)(const RoleSettings& settings);
};

constexpr RoleKind kRoles[] = {
    {"env_shard", Make<EnvShardRole>},     {"learner", MakeOnOwnGpu<LearnerRole>},
    {"evaluator", Make<EvaluatorRole>},    {"embedder", Make<EmbedderRole>},
    {"oracle", MakeOnOwnGpu<ServiceRole>}, {"trial", Make<TrialRole>},
    {"settler", Make<SettlerRole>},
};

}  // namespace

std::unique_ptr<Role> MakeRole(std::string_view kind, std::string_view settings) {
  for (const RoleKind& role : kRoles) {
    if (role.name == kind) return role.make(ReceivedSettings(settings));
  }
  throw Failure("there is no role ", kind);
}

}  // namespace dray
