#include "src/config/overrides.h"

#include "src/base/error.h"
#include "src/config/yaml_document.h"
#include "src/config/yaml_loader.h"

namespace dray {

Override ParseSet(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const std::string_view path = assignment.substr(0, equals);
  if (equals == std::string_view::npos || path.empty()) {
    throw UsageError("--set ", assignment,
                     ": expected key=value, such as --set ppo.learning_rate=1e-3");
  }
  return {std::string(path), std::string(assignment.substr(equals + 1)), Cat("--set ", assignment)};
}

void ApplyOverride(const Override& override, google::protobuf::Message* message) {
  const YAML::Node value = ParseYaml(override.value, override.source, /*with_line=*/false);
  SetPath(value, override.source, override.path, message);
}

}  // namespace dray
