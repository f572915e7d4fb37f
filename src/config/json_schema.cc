#include "src/config/json_schema.h"

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

std::string Description(const FieldDescriptor& field) {
  const Rule& rule = RuleOf(field);
  std::string text = rule.doc();
  if (!rule.unit().empty()) text += Cat(" [", rule.unit(), "]");
  return text;
}

Json ValueSchema(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return {{"type", "boolean"}};
    case FieldDescriptor::CPPTYPE_STRING:
      return {{"type", "string"}};
    case FieldDescriptor::CPPTYPE_ENUM:
      return {{"enum", AcceptedChoices(*field.enum_type())}};
    case FieldDescriptor::CPPTYPE_FLOAT:
    case FieldDescriptor::CPPTYPE_DOUBLE:
      break;
    default: {
      Json schema = {{"type", "integer"}};
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64) schema["minimum"] = 0;
      return schema;
    }
  }
  return {{"type", "number"}};
}

Json Number(double value) { return ParsedJson(NumberText(value)); }

void AddRange(const Rule& rule, Json* schema) {
  if (rule.has_min()) {
    (*schema)[rule.above_min() ? "exclusiveMinimum" : "minimum"] = Number(rule.min());
  }
  if (rule.has_max()) (*schema)["maximum"] = Number(rule.max());
}

Json Scalar(const FieldDescriptor& field) {
  Json schema = ValueSchema(field);
  AddRange(RuleOf(field), &schema);
  if (!RuleOf(field).allows_auto()) return schema;
  return {{"anyOf", Json::array({schema, Json{{"const", "auto"}}})}};
}

// Returns the default as JSON, text without the quotes that YAML may need.
Json Default(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return field.default_value_string();
    case FieldDescriptor::CPPTYPE_ENUM:
      return DefaultText(field);
    default:
      // "auto" is the only word that is not JSON.
      const Json value = ParsedJson(DefaultText(field));
      return value.is_discarded() ? Json(DefaultText(field)) : value;
  }
}

Json Group(const Descriptor& message);

Json FieldSchema(const FieldDescriptor& field) {
  Json schema;
  if (IsGroup(field)) {
    schema = Group(*field.message_type());
  } else if (field.is_repeated()) {
    schema = {{"type", "array"}, {"items", Scalar(field)}};
  } else {
    schema = Scalar(field);
    if (field.has_default_value()) schema["default"] = Default(field);
  }
  schema["description"] = Description(field);
  return schema;
}

Json Group(const Descriptor& message) {
  Json properties = Json::object();
  for (const FieldDescriptor* field : FieldsOf(message)) {
    properties[field->name()] = FieldSchema(*field);
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

}  // namespace

std::string JsonSchema(const Descriptor& root) {
  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", "Settings of Dray"},
      {"$comment", "Generated from the Protobuf messages by scripts/generate.sh; do not edit."}};
  schema.update(Group(root));
  schema["properties"]["include"] = {
      {"description", "YAML files, relative to this one, or presets, whose settings come first"},
      {"anyOf", Json::array({Json{{"type", "string"}},
                             Json{{"type", "array"}, {"items", {{"type", "string"}}}}})}};
  return JsonText(schema, 1) + "\n";
}

}  // namespace dray
