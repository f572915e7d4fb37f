#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

#include "src/config/rule.pb.h"

// What reflection says about settings, in the words of a YAML file. Loader, dump, reference and
// help all speak through these.

namespace dray {

// The fields of a message in the order of their numbers, with the extensions that are linked in.
std::vector<const google::protobuf::FieldDescriptor*> FieldsOf(
    const google::protobuf::Descriptor& message);

// Null when there is none. An extension is found by its short name.
const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Descriptor& message,
                                                   std::string_view name);

// The field at a dotted path, or null.
const google::protobuf::FieldDescriptor* FindPath(const google::protobuf::Descriptor& root,
                                                  std::string_view path);

// The dotted paths of every field (not group) of that name below `root`.
std::vector<std::string> PathsNamed(const google::protobuf::Descriptor& root,
                                    std::string_view name);

std::vector<std::string> SplitPath(std::string_view path);

bool IsGroup(const google::protobuf::FieldDescriptor& field);
const Rule& RuleOf(const google::protobuf::FieldDescriptor& field);

// An enum's values in lower case, as users write them.
std::vector<std::string> Choices(const google::protobuf::EnumDescriptor& type);

// "a whole number", "cpu or cuda", "a list of numbers": what a value must be.
std::string ExpectedText(const google::protobuf::FieldDescriptor& field);

// "from 1 to 65536", "above 0", or empty when everything is allowed.
std::string RangeText(const google::protobuf::FieldDescriptor& field);

// The shortest decimal that reads back as the same number.
std::string NumberText(double value);
std::string NumberText(float value);

// A string as a YAML scalar: plain where that is safe, else in double quotes.
std::string TextScalar(std::string_view text);
std::string QuotedText(std::string_view text);

// The effective value of a field that is no group, as YAML; lists in one line.
std::string ValueText(const google::protobuf::Message& message,
                      const google::protobuf::FieldDescriptor& field);
std::string DefaultText(const google::protobuf::FieldDescriptor& field);

// "a, b or c".
std::string JoinWithOr(const std::vector<std::string>& words);

}  // namespace dray
