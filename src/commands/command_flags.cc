#include "src/commands/command_flags.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "src/base/error.h"
#include "src/base/nearest_name.h"

namespace dray {
namespace {

template <typename Number>
bool Reads(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

template <typename Number>
Number Whole(const std::string& typed, const std::string& text, Number least, Number most) {
  Number value = 0;
  if (!Reads(text, value) || value < least || value > most) {
    throw UsageError(typed, " ", text, ": expected a whole number from ", least, " to ", most);
  }
  return value;
}

const CommandFlag& FindFlag(std::span<const CommandFlag> flags, const std::string& typed,
                            const std::string& name) {
  std::vector<std::string> known;
  for (const CommandFlag& flag : flags) {
    if (flag.name == name) return flag;
    known.push_back(flag.name);
  }
  const std::string near = NearestName(name, known);
  throw UsageError(
      typed, ": unknown flag; ",
      near.empty() ? "--help lists the known ones" : Cat("did you mean --", near, "?"));
}

}  // namespace

void ReadFlags(std::span<const CommandFlag> flags, std::span<const std::string> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& typed = arguments[i];
    if (!typed.starts_with("--"))
      throw UsageError(typed, ": unexpected argument; flags begin with --, see --help");
    const size_t equals = typed.find('=');
    const std::string dashed = typed.substr(0, equals);
    const CommandFlag& flag = FindFlag(flags, dashed, dashed.substr(2));
    if (flag.value.empty()) {
      if (equals != std::string::npos)
        throw UsageError(typed, ": --", flag.name, " takes no value");
      flag.take(dashed, "");
    } else if (equals != std::string::npos) {
      flag.take(dashed, typed.substr(equals + 1));
    } else {
      if (i + 1 == arguments.size() || arguments[i + 1].starts_with("--"))
        throw UsageError(dashed, ": needs a value: ", flag.value);
      flag.take(dashed, arguments[++i]);
    }
  }
}

bool AsksForHelp(std::span<const std::string> arguments) {
  return std::find(arguments.begin(), arguments.end(), "--help") != arguments.end();
}

std::string FlagsHelp(std::span<const CommandFlag> flags) {
  std::string text;
  for (const CommandFlag& flag : flags) {
    std::string usage = "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
    usage.resize(24, ' ');
    text += Cat("  ", usage, flag.help, "\n");
  }
  return text;
}

int WholeNumber(const std::string& typed, const std::string& text, int least, int most) {
  return Whole(typed, text, least, most);
}

uint64_t AnySeed(const std::string& typed, const std::string& text) {
  return Whole<uint64_t>(typed, text, 0, std::numeric_limits<uint64_t>::max());
}

double RealNumber(const std::string& typed, const std::string& text, double above, double most) {
  double value = 0;
  if (!Reads(text, value) || !(value > above) || value > most) {
    throw UsageError(typed, " ", text, ": expected a number above ", above, " and at most ", most);
  }
  return value;
}

std::string OneOf(const std::string& typed, const std::string& text,
                  const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  const std::string near = NearestName(text, choices);
  throw UsageError(typed, " ", text, ": is not one of ", list,
                   near.empty() ? "" : Cat("; did you mean ", near, "?"));
}

}  // namespace dray
