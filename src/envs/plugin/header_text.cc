#include "src/envs/plugin/header_text.h"

namespace dray {

std::string_view PluginHeaderText() {
  return
#include "src/envs/plugin/dray_env_text.inc"
      ;
}

}  // namespace dray
