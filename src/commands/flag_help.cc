#include "src/commands/flag_help.h"

#include <algorithm>
#include <map>
#include <vector>

#include "src/base/error.h"
#include "src/config/dump.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr size_t kWidth = 100;

// Returns " epochs", or " epoch" if the value is 1.
std::string WithUnit(const std::string& value, std::string unit) {
  if (unit.empty()) return "";
  if (value == "1" && unit.size() > 1 && unit.back() == 's') unit.pop_back();
  return Cat(" ", unit);
}

// Values of the settings by path.
using Values = std::map<std::string, std::string>;

std::string Meaning(const Flag& flag, const Descriptor& settings, const Values& values) {
  const FieldDescriptor* field = FindPath(settings, flag.path);
  DRAY_CHECK(field != nullptr || !flag.help.empty());
  std::string text = flag.help.empty() ? RuleOf(*field).doc() : flag.help;
  if (field != nullptr && flag.form != FlagForm::kSwitch) {
    const auto found = values.find(flag.path);
    const std::string value = found == values.end() ? DefaultText(*field) : found->second;
    if (flag.help.empty() ? field->has_default_value() : value != DefaultText(*field)) {
      text += Cat(" [default: ", value, WithUnit(value, RuleOf(*field).unit()), "]");
    }
  }
  std::string also;
  for (const std::string& alias : flag.aliases) {
    if (alias.size() > 1) also += Cat(also.empty() ? "" : ", ", "--", alias);
  }
  return also.empty() ? text : Cat(text, "; also ", also);
}

// Returns the end of the word that begins at `begin`. "[default: 5 m]" is one word.
size_t WordEnd(const std::string& text, size_t begin) {
  const bool is_default = text.compare(begin, 9, "[default:") == 0;
  return std::min(text.find(' ', is_default ? text.find(']', begin) : begin), text.size());
}

// Wraps text into lines of at most `width`, indenting all but the first.
std::string Wrapped(const std::string& text, size_t indent, size_t width) {
  std::string wrapped;
  size_t column = 0;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = WordEnd(text, begin);
    if (column > 0 && column + 1 + end - begin > width) {
      wrapped += '\n';
      wrapped.append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped.append(text, begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return wrapped;
}

}  // namespace

std::string FlagUsage(const Flag& flag, const Descriptor& settings) {
  const bool has_letter =
      std::ranges::any_of(flag.aliases, [](const std::string& alias) { return alias.size() == 1; });
  std::string text = (has_letter ? Cat("-", flag.aliases.front(), ", --") : "--") + flag.name;
  if (flag.form == FlagForm::kSwitch) return text;
  if (!flag.value.empty()) return text + " " + flag.value;
  std::string choices;
  const FieldDescriptor* field = FindPath(settings, flag.path);
  DRAY_CHECK(field != nullptr);
  for (const std::string& choice : Choices(*field->enum_type())) {
    choices += (choices.empty() ? "" : "|") + choice;
  }
  return text + " " + choices;
}

std::string FlagsHelp(std::span<const Flag> flags, const google::protobuf::Message& defaults) {
  const Descriptor& settings = *defaults.GetDescriptor();
  const auto listed = FlatSettings(defaults);
  const Values values(listed.begin(), listed.end());
  size_t widest = 0;
  for (const Flag& flag : flags) widest = std::max(widest, FlagUsage(flag, settings).size());
  const size_t indent = widest + 4;
  std::vector<std::string> groups = {""};
  for (const Flag& flag : flags) {
    if (std::ranges::count(groups, flag.group) == 0) groups.push_back(flag.group);
  }
  std::string text;
  for (const std::string& group : groups) {
    if (!group.empty()) text += Cat("\n", group, "\n");
    for (const Flag& flag : flags) {
      if (flag.group != group) continue;
      std::string usage = FlagUsage(flag, settings);
      usage.resize(widest, ' ');
      const std::string meaning = Meaning(flag, settings, values);
      text += Cat("  ", usage, "  ", Wrapped(meaning, indent, kWidth - indent), "\n");
    }
  }
  return text;
}

}  // namespace dray
