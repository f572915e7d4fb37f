#include "src/config/former_settings.h"

#include <vector>

#include "src/base/error.h"
#include "src/config/fields.h"
#include "src/config/yaml_document.h"
#include "src/config/yaml_value.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::vector<const FieldDescriptor*> SetFields(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

// Copies the settings of one group into another by their names; `to` is null where there is none.
void Copy(const std::string& where, const std::string& path, const Message& from, Message* to,
          const std::string& target) {
  for (const FieldDescriptor* field : SetFields(from)) {
    const std::string key = path + "." + field->name();
    const FieldDescriptor* match =
        to == nullptr ? nullptr : FindField(*to->GetDescriptor(), field->name());
    if (IsGroup(*field)) {
      Message* below = match == nullptr ? nullptr : to->GetReflection()->MutableMessage(to, match);
      Copy(where, key, from.GetReflection()->GetMessage(from, field), below, target);
      continue;
    }
    const std::string value = ValueText(from, *field);
    if (match != nullptr) {
      SetValue(ParseYaml(value, where, /*with_line=*/false), Cat(where, ": ", key), *match, to);
    } else if (value != DefaultText(*field)) {
      throw UsageError(where, ": ", key, ": ", value, " has no effect in ", target,
                       "; leave it out");
    }
  }
}

// Divides a group as its option says.
void Divide(const std::string& where, const std::string& path, const FieldDescriptor& group,
            Message* parent) {
  const google::protobuf::Reflection& reflection = *parent->GetReflection();
  const Split& rule = group.message_type()->options().GetExtension(split);
  const FieldDescriptor* name = parent->GetDescriptor()->FindFieldByName("name");
  const FieldDescriptor* into = FindField(*parent->GetDescriptor(), rule.into());
  // A program may know the one group and not the other.
  if (name == nullptr || into == nullptr) return;
  const std::string current = reflection.GetString(*parent, name);
  if (current != group.name() && current != into->name()) return;
  Message* from = reflection.MutableMessage(parent, &group);
  const FieldDescriptor* by = FindField(*from->GetDescriptor(), rule.by());
  const bool given = from->GetReflection()->HasField(*from, by);
  const bool moves = given && ValueText(*from, *by) == rule.value();
  if (current == into->name() && given && !moves) {
    throw UsageError(where, ": ", path, ".", by->name(), ": is ", ValueText(*from, *by),
                     ", but the name is ", current, "; set the name to ", group.name());
  }
  from->GetReflection()->ClearField(from, by);
  if (current == group.name() && !moves) return;
  Copy(where, path, *from, reflection.MutableMessage(parent, into), into->name());
  reflection.ClearField(parent, &group);
  reflection.SetString(parent, name, into->name());
}

void MoveBelow(const std::string& where, const std::string& path, Message* message) {
  for (const FieldDescriptor* field : SetFields(*message)) {
    if (!IsGroup(*field) || field->is_repeated()) continue;
    const std::string key = path.empty() ? field->name() : path + "." + field->name();
    if (field->message_type()->options().HasExtension(split)) {
      Divide(where, key, *field, message);
    } else {
      MoveBelow(where, key, message->GetReflection()->MutableMessage(message, field));
    }
  }
}

}  // namespace

void MoveFormerSettings(const std::string& where, Message* message) {
  MoveBelow(where, "", message);
}

}  // namespace dray
