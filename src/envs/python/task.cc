#include "src/env/task.h"

#include <memory>

#include "src/envs/python/python_envs.h"
#include "src/envs/python/python_spec.h"

namespace dray {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  return std::make_unique<PythonEnvs>(config.GetExtension(python), streams, count);
}

void FollowFiles(EnvConfig* config) { CarryPythonEnv(config->MutableExtension(python)); }

}  // namespace

namespace tasks {
Task python() {
  return {.name = "python", .make_envs = MakeEnvs, .follow_files = FollowFiles};
}
}  // namespace tasks

}  // namespace dray
