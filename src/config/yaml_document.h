#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace dray {

// Parses text that holds a single YAML document; returns null if it is empty. For invalid YAML,
// throws an Error that begins with `name` and, if `with_line`, the line.
YAML::Node ParseYaml(const std::string& text, const std::string& name, bool with_line);

}  // namespace dray
