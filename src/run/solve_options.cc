#include "src/run/solve_options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <vector>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/config/user_path.h"

namespace dray {
namespace {

struct SolveFlag {
  std::string name;   // without the dashes
  std::string value;  // what stands for the value in the help; empty: takes none
  std::string help;
  // Takes the value; `typed` is the flag as written.
  std::function<void(SolveOptions&, const std::string& typed, const std::string& value)> take;
};

template <typename Number>
Number Whole(const std::string& typed, const std::string& text, Number least, Number most) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || value < least || value > most) {
    throw UsageError(typed, " ", text, ": expected a whole number from ", least, " to ", most);
  }
  return value;
}

std::string Choice(const std::string& typed, const std::string& text,
                   const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  const std::string near = NearestName(text, choices);
  throw UsageError(typed, " ", text, ": is not one of ", list,
                   near.empty() ? "" : Cat("; did you mean ", near, "?"));
}

Rounding RoundingNamed(const std::string& name) {
  if (name == "exact") return Rounding::kExact;
  return name == "nearest" ? Rounding::kNearest : Rounding::kTrunc01;
}

const std::vector<SolveFlag>& Flags() {
  constexpr int kMany = 1'000'000'000;
  using Options = SolveOptions;
  using Text = const std::string&;
  static const std::vector<SolveFlag> flags = {
      {"instance", "FILE", "the problem: a Solomon, VRPLIB, Li & Lim or CSV file",
       [](Options& o, Text, Text v) { o.instance = UserPath(v); }},
      {"oracle", "NAME", "insertion or ruin_recreate (default)",
       [](Options& o, Text t, Text v) {
         o.oracle = Choice(t, v, {"insertion", "ruin_recreate"});
       }},
      {"rounds", "N", "of ruin and recreate (default 1000)",
       [](Options& o, Text t, Text v) { o.rounds = Whole(t, v, 0, kMany); }},
      {"seeds", "K", "searches of ruin_recreate, of which the best counts (default 1)",
       [](Options& o, Text t, Text v) { o.seeds = Whole(t, v, 1, 1'000'000); }},
      {"seed", "S", "of all random numbers (default 0)",
       [](Options& o, Text t, Text v) {
         o.seed = Whole<uint64_t>(t, v, 0, std::numeric_limits<uint64_t>::max());
       }},
      {"fewest-vehicles", "", "fewest vehicles first, then least travel (ruin_recreate)",
       [](Options& o, Text, Text) { o.fewest_vehicles = true; }},
      {"round-distances", "HOW",
       "trunc01 (default): cut after one decimal; exact: thousandths; nearest: whole",
       [](Options& o, Text t, Text v) {
         o.reading.rounding = RoundingNamed(Choice(t, v, {"trunc01", "exact", "nearest"}));
       }},
      {"capacity", "N", "of a vehicle, in place of the file's",
       [](Options& o, Text t, Text v) { o.reading.capacity = Whole(t, v, 1, kMany); }},
      {"vehicles", "N", "in place of the file's",
       [](Options& o, Text t, Text v) { o.reading.vehicles = Whole(t, v, 1, kMany); }},
      {"out", "FILE", "write the plan there, in VRPLIB's solution format",
       [](Options& o, Text, Text v) { o.out = UserPath(v); }},
      {"render", "FOLDER", "draw the routes on a map and along a time axis there, as SVG",
       [](Options& o, Text, Text v) { o.render = UserPath(v); }},
      {"clock", "", "the file's times are minutes of a day: pictures show 07:30",
       [](Options& o, Text, Text) { o.clock = true; }},
      {"json", "", "print one JSON object instead of text",
       [](Options& o, Text, Text) { o.json = true; }},
      {"help", "", "print this", [](Options& o, Text, Text) { o.help = true; }},
  };
  return flags;
}

const SolveFlag& FindFlag(const std::string& typed, const std::string& name) {
  std::vector<std::string> known;
  for (const SolveFlag& flag : Flags()) {
    if (flag.name == name) return flag;
    known.push_back(flag.name);
  }
  const std::string near = NearestName(name, known);
  throw UsageError(
      typed, ": unknown flag; ",
      near.empty() ? "--help lists the known ones" : Cat("did you mean --", near, "?"));
}

}  // namespace

SolveOptions ParseSolveOptions(std::span<const std::string> arguments) {
  SolveOptions options;
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end()) {
    options.help = true;
    return options;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& typed = arguments[i];
    if (!typed.starts_with("--"))
      throw UsageError(typed, ": unexpected argument; flags begin with --, see --help");
    const size_t equals = typed.find('=');
    const std::string dashed = typed.substr(0, equals);
    const SolveFlag& flag = FindFlag(dashed, dashed.substr(2));
    if (flag.value.empty()) {
      if (equals != std::string::npos)
        throw UsageError(typed, ": --", flag.name, " takes no value");
      flag.take(options, dashed, "");
    } else if (equals != std::string::npos) {
      flag.take(options, dashed, typed.substr(equals + 1));
    } else {
      if (i + 1 == arguments.size() || arguments[i + 1].starts_with("--"))
        throw UsageError(dashed, ": needs a value: ", flag.value);
      flag.take(options, dashed, arguments[++i]);
    }
  }
  if (options.instance.empty())
    throw UsageError("--instance: which problem? Name its file: --instance R101.txt");
  return options;
}

std::string SolveHelp() {
  std::string text =
      "usage: solve --instance FILE [--flag value | --flag=value] ...\n\n"
      "Solves a routing problem, drives the plan and prints its cost.\n\n";
  for (const SolveFlag& flag : Flags()) {
    std::string usage = "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
    usage.resize(24, ' ');
    text += Cat("  ", usage, flag.help, "\n");
  }
  return text +
         "\nexamples:\n"
         "  solve --instance R101.txt --rounds 1000 --seeds 3\n"
         "  solve --instance lc101.txt --round-distances exact --fewest-vehicles --out plan.sol\n";
}

}  // namespace dray
