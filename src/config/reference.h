#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace dray {

// Every key of a message with its type, default, range, unit and doc, as a Markdown page.
std::string ReferenceMarkdown(const google::protobuf::Descriptor& root);

// The command that rewrites configs/REFERENCE.md.
inline constexpr char kReferenceCommand[] =
    "bazel run //src/envs:reference_generator > configs/REFERENCE.md";

}  // namespace dray
