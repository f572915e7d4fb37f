#include "src/config/fields.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "src/base/error.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string ChoiceName(const EnumValueDescriptor& value) {
  std::string name = value.name();
  for (char& c : name) c = std::tolower(static_cast<unsigned char>(c));
  return name;
}

template <typename T>
std::string ShortestText(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

// Words that some YAML readers do not read as text.
bool IsYamlWord(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = std::tolower(static_cast<unsigned char>(c));
  for (const char* word : {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}) {
    if (lower == word) return true;
  }
  return false;
}

bool IsPlainSafe(std::string_view text) {
  if (text.empty() || IsYamlWord(text)) return false;
  const unsigned char first = text.front();
  if (!std::isalpha(first) && first != '_' && first != '/') return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '/' || c == '.' || c == '-';
  });
}

std::string OneExpected(const FieldDescriptor& field, bool plural) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return JoinWithOr(Choices(*field.enum_type()));
    case FieldDescriptor::CPPTYPE_STRING:
      return plural ? "texts" : "text";
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      return plural ? "numbers" : "a number";
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return "a group of settings";
    default:
      return plural ? "whole numbers" : "a whole number";
  }
}

std::string ElementText(const Message& message, const FieldDescriptor& field, int i) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  const bool list = field.is_repeated();
  std::string scratch;
  switch (field.cpp_type()) {
#define DRAY_GET(Type) \
  (list ? reflection.GetRepeated##Type(message, &field, i) : reflection.Get##Type(message, &field))
    case FieldDescriptor::CPPTYPE_BOOL:
      return DRAY_GET(Bool) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_INT32:
      if (RuleOf(field).allows_auto() && DRAY_GET(Int32) == 0) return "auto";
      return std::to_string(DRAY_GET(Int32));
    case FieldDescriptor::CPPTYPE_UINT32:
      return std::to_string(DRAY_GET(UInt32));
    case FieldDescriptor::CPPTYPE_INT64:
      return std::to_string(DRAY_GET(Int64));
    case FieldDescriptor::CPPTYPE_UINT64:
      return std::to_string(DRAY_GET(UInt64));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return NumberText(DRAY_GET(Double));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return NumberText(DRAY_GET(Float));
    case FieldDescriptor::CPPTYPE_ENUM:
      return ChoiceName(*DRAY_GET(Enum));
    case FieldDescriptor::CPPTYPE_STRING:
      return TextScalar(DRAY_GET(String));
#undef DRAY_GET
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
  }
  DRAY_CHECK(!IsGroup(field));
  return "";
}

std::vector<const FieldDescriptor*> AllFieldsOf(const Descriptor& message) {
  std::vector<const FieldDescriptor*> fields;
  DescriptorPool::generated_pool()->FindAllExtensions(&message, &fields);
  for (int i = 0; i < message.field_count(); ++i) fields.push_back(message.field(i));
  std::sort(fields.begin(), fields.end(), [](const FieldDescriptor* a, const FieldDescriptor* b) {
    return a->number() < b->number();
  });
  return fields;
}

}  // namespace

std::vector<const FieldDescriptor*> FieldsOf(const Descriptor& message) {
  std::vector<const FieldDescriptor*> fields = AllFieldsOf(message);
  std::erase_if(fields, [](const FieldDescriptor* field) { return RuleOf(*field).former(); });
  return fields;
}

const FieldDescriptor* FindField(const Descriptor& message, std::string_view name) {
  for (const FieldDescriptor* field : AllFieldsOf(message)) {
    if (field->name() == name) return field;
  }
  return nullptr;
}

const FieldDescriptor* FindPath(const Descriptor& root, std::string_view path) {
  const Descriptor* message = &root;
  const FieldDescriptor* field = nullptr;
  for (const std::string& name : SplitPath(path)) {
    if (message == nullptr) return nullptr;
    field = FindField(*message, name);
    if (field == nullptr) return nullptr;
    message = IsGroup(*field) ? field->message_type() : nullptr;
  }
  return field;
}

std::vector<std::string> PathsNamed(const Descriptor& root, std::string_view name) {
  std::vector<std::string> paths;
  for (const FieldDescriptor* field : FieldsOf(root)) {
    if (!IsGroup(*field)) {
      if (field->name() == name) paths.push_back(field->name());
      continue;
    }
    for (const std::string& below : PathsNamed(*field->message_type(), name)) {
      paths.push_back(field->name() + "." + below);
    }
  }
  return paths;
}

std::vector<std::string> SplitPath(std::string_view path) {
  std::vector<std::string> names;
  while (true) {
    const size_t dot = path.find('.');
    names.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return names;
    path.remove_prefix(dot + 1);
  }
}

bool IsGroup(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

const Rule& RuleOf(const FieldDescriptor& field) { return field.options().GetExtension(rule); }

std::vector<std::string> Choices(const EnumDescriptor& type) {
  std::vector<std::string> names;
  for (int i = 0; i < type.value_count(); ++i) {
    const EnumValueDescriptor* value = type.value(i);
    if (type.FindValueByNumber(value->number()) == value) names.push_back(ChoiceName(*value));
  }
  return names;
}

std::vector<std::string> AcceptedChoices(const EnumDescriptor& type) {
  std::vector<std::string> names;
  for (int i = 0; i < type.value_count(); ++i) names.push_back(ChoiceName(*type.value(i)));
  return names;
}

std::string ExpectedText(const FieldDescriptor& field) {
  return field.is_repeated() ? "a list of " + OneExpected(field, /*plural=*/true)
                             : OneExpected(field, /*plural=*/false);
}

std::string RangeText(const FieldDescriptor& field) {
  const Rule& rule = RuleOf(field);
  const std::string low = NumberText(rule.min());
  const std::string high = NumberText(rule.max());
  if (rule.has_min() && rule.has_max()) {
    return (rule.above_min() ? "above " + low + " and at most " + high
                             : "from " + low + " to " + high) +
           (rule.allows_auto() ? ", or auto" : "");
  }
  if (rule.has_min()) return (rule.above_min() ? "above " : "at least ") + low;
  if (rule.has_max()) return "at most " + high;
  return "";
}

std::string NumberText(double value) {
  // Whole numbers such as 1000000 read better without an exponent.
  if (std::abs(value) < 1e15 && value == std::trunc(value)) {
    return std::to_string(static_cast<int64_t>(value));
  }
  return ShortestText(value);
}

std::string NumberText(float value) { return ShortestText(value); }

std::string TextScalar(std::string_view text) {
  return IsPlainSafe(text) ? std::string(text) : QuotedText(text);
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const unsigned char byte = c;
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\x%02x", byte);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string ValueText(const Message& message, const FieldDescriptor& field) {
  if (!field.is_repeated()) return ElementText(message, field, 0);
  std::string text = "[";
  const int size = message.GetReflection()->FieldSize(message, &field);
  for (int i = 0; i < size; ++i) {
    text += (i > 0 ? ", " : "") + ElementText(message, field, i);
  }
  return text + "]";
}

std::string DefaultText(const FieldDescriptor& field) {
  const Message* empty =
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(field.containing_type());
  return ValueText(*empty, field);
}

std::string JoinWithOr(const std::vector<std::string>& words) {
  std::string joined;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

}  // namespace dray
