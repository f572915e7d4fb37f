#include "src/config/dump.h"

#include <functional>
#include <map>

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// An extension is relevant only if the message's `name` selects it: if env.name is cartpole,
// env.cartpole counts and env.pendulum does not.
bool IsRelevant(const Message& message, const FieldDescriptor& field) {
  if (!field.is_extension()) return true;
  const FieldDescriptor* name = message.GetDescriptor()->FindFieldByName("name");
  return name == nullptr || message.GetReflection()->GetString(message, name) == field.name();
}

// Calls `visit` for every relevant field, each group before its members.
using Visit = std::function<void(const std::string& path, int depth, const FieldDescriptor& field,
                                 const Message& message)>;

void ForEach(const Message& message, const std::string& path, int depth, const Visit& visit) {
  for (const FieldDescriptor* field : FieldsOf(*message.GetDescriptor())) {
    if (!IsRelevant(message, *field)) continue;
    const std::string below = path.empty() ? field->name() : path + "." + field->name();
    visit(below, depth, *field, message);
    if (IsGroup(*field)) {
      ForEach(message.GetReflection()->GetMessage(message, field), below, depth + 1, visit);
    }
  }
}

}  // namespace

std::string DumpYaml(const Message& message) {
  std::string yaml;
  ForEach(message, "", 0,
          [&](const std::string&, int depth, const FieldDescriptor& field, const Message& group) {
            yaml.append(2 * depth, ' ');
            yaml += Cat(field.name(), ":");
            if (!IsGroup(field)) yaml += Cat(" ", ValueText(group, field));
            yaml += '\n';
          });
  return yaml;
}

std::vector<std::pair<std::string, std::string>> FlatSettings(const Message& message) {
  std::vector<std::pair<std::string, std::string>> values;
  ForEach(message, "", 0,
          [&](const std::string& path, int, const FieldDescriptor& field, const Message& group) {
            if (!IsGroup(field)) values.emplace_back(path, ValueText(group, field));
          });
  return values;
}

std::vector<ChangedKey> ChangedKeys(const Message& before, const Message& after) {
  const auto old_values = FlatSettings(before);
  const auto new_values = FlatSettings(after);
  const std::map<std::string, std::string> old_by_path(old_values.begin(), old_values.end());
  const std::map<std::string, std::string> new_by_path(new_values.begin(), new_values.end());
  std::vector<ChangedKey> changed;
  for (const auto& [path, old_value] : old_values) {
    const auto found = new_by_path.find(path);
    const std::string new_value = found == new_by_path.end() ? "" : found->second;
    if (new_value != old_value) changed.push_back({path, old_value, new_value});
  }
  for (const auto& [path, new_value] : new_values) {
    if (!old_by_path.contains(path)) changed.push_back({path, "", new_value});
  }
  return changed;
}

}  // namespace dray
