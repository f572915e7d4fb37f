#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace dray {

// Describes every key of a message as a Markdown page: type, default, range, unit and doc.
std::string ReferenceMarkdown(const google::protobuf::Descriptor& root);

}  // namespace dray
