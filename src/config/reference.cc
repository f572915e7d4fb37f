#include "src/config/reference.h"

#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Escapes pipes, which would end the cell, and <word>, which would be taken for HTML.
std::string Cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '|') {
      escaped += "\\|";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] -= 'a' - 'A';
  return text;
}

std::string TypeCell(const FieldDescriptor& field) {
  if (field.enum_type() == nullptr) {
    const std::string text = ExpectedText(field);
    return text.starts_with("a ") ? text.substr(2) : text;
  }
  std::string text;
  for (const std::string& choice : Choices(*field.enum_type())) {
    text += (text.empty() ? "`" : ", `") + choice + "`";
  }
  return (field.is_repeated() ? "list of " : "") + text;
}

std::string Row(const std::string& path, const FieldDescriptor& field) {
  const Rule& rule = RuleOf(field);
  return "| `" + path + "` | " + Cell(TypeCell(field)) + " | `" + DefaultText(field) + "` | " +
         Cell(RangeText(field)) + " | " + Cell(rule.unit()) + " | " + Cell(rule.doc()) + " |\n";
}

// Writes a heading and a table for the group's own keys, then its subgroups.
std::string Section(const std::string& path, const FieldDescriptor& group) {
  std::string rows;
  std::string below;
  for (const FieldDescriptor* field : FieldsOf(*group.message_type())) {
    const std::string key = path + "." + field->name();
    if (IsGroup(*field)) {
      below += Section(key, *field);
    } else {
      rows += Row(key, *field);
    }
  }
  std::string text = "\n## " + path + "\n\n" + Capitalised(RuleOf(group).doc()) + ".\n";
  if (rows.empty()) return text + "\nNo settings.\n" + below;
  return text +
         "\n| key | type | default | range | unit | meaning |\n| --- | --- | --- | --- | --- | --- "
         "|\n" +
         rows + below;
}

}  // namespace

std::string ReferenceMarkdown(const Descriptor& root) {
  std::string page =
      "# Every setting\n\n"
      "Generated from the Protobuf messages by `scripts/generate.sh`; do not edit.\n\n"
      "A YAML file may `include` others, relative to itself, or presets by name; `--set key=value` "
      "overrides it,\nand named flags (`--help`) override both.\n";
  for (const FieldDescriptor* field : FieldsOf(root)) {
    if (IsGroup(*field)) page += Section(field->name(), *field);
  }
  return page;
}

}  // namespace dray
