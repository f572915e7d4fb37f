#include "src/env/task.h"

#include <filesystem>

#include "src/config/user_path.h"
#include "src/envs/plugin/plugin_envs.h"

namespace dray {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  return std::make_unique<PluginEnvs>(config.GetExtension(PluginConfig::plugin), streams, count);
}

// Makes the path absolute: actors of a cluster and a resumed run work in other folders.
void FollowLibrary(EnvConfig* config) {
  PluginConfig* plugin = config->MutableExtension(PluginConfig::plugin);
  if (plugin->library().empty()) return;
  plugin->set_library(
      std::filesystem::absolute(UserPath(plugin->library())).lexically_normal().string());
}

bool ReadLibrary(const std::string& value, EnvConfig* config) {
  if (!value.ends_with(".so")) return false;
  config->set_name("plugin");
  config->MutableExtension(PluginConfig::plugin)->set_library(value);
  FollowLibrary(config);
  return true;
}

}  // namespace

namespace tasks {
Task plugin() {
  return {.name = "plugin",
          .make_envs = MakeEnvs,
          .external = true,
          .read_env_flag = ReadLibrary,
          .env_flag_values = "FILE.so",
          .follow_files = FollowLibrary};
}
}  // namespace tasks

}  // namespace dray
