#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace dray {

// The one YAML document of a text; null when it is empty. What is no YAML is an Error that begins
// with `name` and, when `with_line`, the line.
YAML::Node ParseYaml(const std::string& text, const std::string& name, bool with_line);

}  // namespace dray
