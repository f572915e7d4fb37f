#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace dray {

// Every key of a message with its type, choices, default, range and doc, as JSON Schema: editors
// complete and check YAML files by it.
std::string JsonSchema(const google::protobuf::Descriptor& root);

// The command that rewrites configs/schema.json.
inline constexpr char kSchemaCommand[] =
    "bazel run //src/envs:schema_generator > configs/schema.json";

}  // namespace dray
