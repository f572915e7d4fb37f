#include "src/env/task.h"

#include <memory>
#include <string>

#include "src/envs/python/python_envs.h"
#include "src/envs/python/python_spec.h"

namespace dray {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  return std::make_unique<PythonEnvs>(config.GetExtension(python), streams, count);
}

bool ReadEnvFlag(const std::string& value, EnvConfig* config) {
  if (value.find(':') == std::string::npos) return false;
  config->set_name("python");
  config->MutableExtension(python)->set_env(value);
  return true;
}

void FollowFiles(EnvConfig* config) { CarryPythonEnv(config->MutableExtension(python)); }

}  // namespace

namespace tasks {
Task python() {
  return {.name = "python",
          .make_envs = MakeEnvs,
          .external = true,
          .read_env_flag = ReadEnvFlag,
          .env_flag_values = "gym:ID, MODULE:FUNCTION",
          .follow_files = FollowFiles};
}
}  // namespace tasks

}  // namespace dray
