#include "src/cluster/roles/settler_role.h"

#include <string>
#include <vector>

#include "src/cluster/packed.h"
#include "src/loop/auto_settings.h"

namespace dray {

SettlerRole::SettlerRole(const RoleSettings& settings) : DispatchedRole("settler") {
  AddHeartbeat(heartbeat_);
  Add("settle", 1, [this, config = settings.config()](Arguments arguments, ByteSink& reply) {
    heartbeat_.Beat("trying devices");
    ByteReader counts(arguments[0], "the numbers of workers and GPUs");
    const auto workers = counts.Get<int32_t>(), gpus = counts.Get<int32_t>();
    Config settled = config;
    std::vector<std::string> parts = SettleGpu(workers, gpus, &settled);
    parts.insert(parts.begin(), settled.SerializeAsString());
    reply.Write(Packed(parts));
    heartbeat_.Beat("resting");
  });
}

}  // namespace dray
