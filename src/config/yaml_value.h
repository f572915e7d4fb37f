#pragma once

#include <google/protobuf/message.h>
#include <yaml-cpp/yaml.h>

#include <string>

namespace dray {

// Sets a scalar or a list from a YAML value. For a value of the wrong type or out of range, throws
// an Error of the form "<where>: <problem and remedy>".
void SetValue(const YAML::Node& value, const std::string& where,
              const google::protobuf::FieldDescriptor& field, google::protobuf::Message* message);

// Describes a node in a few words for an error message: "the list", "'many'", "nothing".
std::string FoundText(const YAML::Node& node);

}  // namespace dray
