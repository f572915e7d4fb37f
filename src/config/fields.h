#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

#include "src/config/rule.pb.h"

// Describes settings by reflection, in the terms of a YAML file. Used by the loader, dump,
// reference and help.

namespace dray {

// Returns the fields of a message in the order of their numbers, with the extensions that are
// linked in and without former settings.
std::vector<const google::protobuf::FieldDescriptor*> FieldsOf(
    const google::protobuf::Descriptor& message);

// Returns the field of that name, a former setting included, or null. An extension is found by its
// short name.
const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Descriptor& message,
                                                   std::string_view name);

// Finds the field at a dotted path. Returns null if there is none.
const google::protobuf::FieldDescriptor* FindPath(const google::protobuf::Descriptor& root,
                                                  std::string_view path);

// Lists the dotted paths of all fields (not groups) called `name` below `root`.
std::vector<std::string> PathsNamed(const google::protobuf::Descriptor& root,
                                    std::string_view name);

std::vector<std::string> SplitPath(std::string_view path);

bool IsGroup(const google::protobuf::FieldDescriptor& field);
const Rule& RuleOf(const google::protobuf::FieldDescriptor& field);

// Returns an enum's values in lower case, as users write them; one name for each value.
std::vector<std::string> Choices(const google::protobuf::EnumDescriptor& type);
// Returns all names, those that a value had formerly as well.
std::vector<std::string> AcceptedChoices(const google::protobuf::EnumDescriptor& type);

// Describes the type of a field: "a whole number", "cpu or cuda", "a list of numbers".
std::string ExpectedText(const google::protobuf::FieldDescriptor& field);

// Describes the range of a field: "from 1 to 65536", "above 0"; empty if every value is allowed.
std::string RangeText(const google::protobuf::FieldDescriptor& field);

// Formats a number as the shortest decimal that reads back as the same value.
std::string NumberText(double value);
std::string NumberText(float value);

// Formats a string as a YAML scalar: plain if that is safe, else in double quotes.
std::string TextScalar(std::string_view text);
std::string QuotedText(std::string_view text);

// Formats the effective value of a field that is not a group as YAML, lists on one line.
std::string ValueText(const google::protobuf::Message& message,
                      const google::protobuf::FieldDescriptor& field);
std::string DefaultText(const google::protobuf::FieldDescriptor& field);

// Joins words as in "a, b or c".
std::string JoinWithOr(const std::vector<std::string>& words);

}  // namespace dray
