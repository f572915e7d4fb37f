#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace dray {

// Describes every key of a message as JSON Schema (type, choices, default, range and doc), for
// editors that complete and check YAML files.
std::string JsonSchema(const google::protobuf::Descriptor& root);

}  // namespace dray
