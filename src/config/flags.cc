#include "src/config/flags.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/config/fields.h"
#include "src/config/user_path.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;

Error UnknownFlag(const std::string& typed, std::span<const Flag> flags) {
  std::vector<std::string> known;
  for (const Flag& flag : flags) {
    known.push_back(flag.name);
    known.insert(known.end(), flag.aliases.begin(), flag.aliases.end());
  }
  const std::string name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  const std::string near = NearestName(name, known);
  return UsageError(
      typed, ": unknown flag; ",
      near.empty() ? "--help lists the known ones" : Cat("did you mean --", near, "?"));
}

// Describes the values of a flag, for the error that one is missing.
std::string ValueHint(const Flag& flag, const Descriptor& settings) {
  if (flag.form == FlagForm::kDuration) return "30s, 5m or 2h";
  if (!flag.value.empty()) return flag.value;
  const auto* field = FindPath(settings, flag.path);
  DRAY_CHECK(field != nullptr);  // a flag whose setting is not known yet has a `value`
  return JoinWithOr(Choices(*field->enum_type()));
}

std::string AsYaml(const Flag& flag, const std::string& text, const std::string& source) {
  switch (flag.form) {
    case FlagForm::kSwitch:
      return "true";
    case FlagForm::kPath:
    case FlagForm::kPaths:
    case FlagForm::kOptionalPath:
      return QuotedText(UserPath(text));
    case FlagForm::kText:
      return QuotedText(text);
    case FlagForm::kList:
      return Cat("[", text, "]");
    case FlagForm::kDuration:
      return NumberText(DurationSeconds(text, source));
    default:
      return text;
  }
}

}  // namespace

bool AsksForHelp(std::span<const std::string> arguments) {
  return std::ranges::any_of(
      arguments, [](const std::string& each) { return each == "--help" || each == "-h"; });
}

const Flag* FindFlag(std::span<const Flag> flags, std::string_view name) {
  for (const Flag& flag : flags) {
    if (flag.name == name || std::ranges::count(flag.aliases, name) > 0) return &flag;
  }
  return nullptr;
}

GivenFlags::GivenFlags(std::span<const Flag> flags, const Descriptor& settings,
                       std::span<const std::string> arguments)
    : flags_(flags.begin(), flags.end()) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& typed = arguments[i];
    const bool is_letter = typed.size() == 2 && typed[0] == '-' && typed[1] != '-';
    if (!typed.starts_with("--") && !is_letter) {
      throw UsageError(typed, ": unexpected argument; flags begin with --, see --help");
    }
    const size_t equals = typed.find('=');
    const std::string dashed = typed.substr(0, equals);
    const Flag* flag = FindFlag(flags_, dashed.substr(is_letter ? 1 : 2));
    if (flag == nullptr || (dashed.size() < 4 && !is_letter)) throw UnknownFlag(dashed, flags_);

    const bool optional = flag->form == FlagForm::kOptionalPath;
    const bool takes_value = flag->form != FlagForm::kSwitch;
    if (equals != std::string::npos) {
      if (!takes_value) throw UsageError(typed, ": --", flag->name, " takes no value");
      const std::string value = typed.substr(equals + 1);
      Add(*flag, dashed, &value);
    } else if (takes_value && i + 1 < arguments.size() &&
               !arguments[i + 1].starts_with(optional ? "-" : "--")) {
      Add(*flag, dashed, &arguments[++i]);
    } else {
      if (takes_value && !optional) {
        throw UsageError(dashed, ": needs a value: ", ValueHint(*flag, settings));
      }
      Add(*flag, dashed, nullptr);
    }
  }
}

void GivenFlags::Add(const Flag& flag, const std::string& dashed, const std::string* value) {
  std::vector<Value>& values = given_[flag.name];
  if (flag.form != FlagForm::kSet && flag.form != FlagForm::kPaths) values.clear();
  values.push_back({value ? *value : "", value ? dashed + " " + *value : dashed});
}

std::string GivenFlags::Text(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? "" : found->second.back().text;
}

std::vector<Override> GivenFlags::overrides() const {
  std::vector<Override> sets, cleared, values;
  for (const Flag& flag : flags_) {
    const auto found = given_.find(flag.name);
    if (found == given_.end()) continue;
    if (flag.form == FlagForm::kSet) {
      for (const Value& value : found->second) sets.push_back(ParseSet(value.text));
    }
    if (flag.path.empty()) continue;
    const std::string& source = found->second.back().source;
    for (const std::string& path : flag.clears) cleared.push_back({path, "0", source});
    std::string yaml;
    for (const Value& value : found->second) {
      yaml += (yaml.empty() ? "" : ", ") + AsYaml(flag, value.text, value.source);
    }
    if (flag.form == FlagForm::kPaths) yaml = Cat("[", yaml, "]");
    values.push_back({flag.path, yaml, source});
  }
  sets.insert(sets.end(), cleared.begin(), cleared.end());
  sets.insert(sets.end(), values.begin(), values.end());
  return sets;
}

void GivenFlags::ApplyTo(google::protobuf::Message* settings) const {
  for (const Override& override : overrides()) ApplyOverride(override, settings);
  for (const Flag& flag : flags_) {
    if (!flag.ask.empty() && Text(flag.name).empty()) {
      throw UsageError("--", flag.name, ": ", flag.ask);
    }
  }
}

double DurationSeconds(const std::string& text, const std::string& source) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, end - rest);
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || seconds == 0 || !std::isfinite(number) || number < 0) {
    throw UsageError(source, ": expected a number of seconds, minutes or hours: 30s, 5m or 2h");
  }
  return number * seconds;
}

}  // namespace dray
