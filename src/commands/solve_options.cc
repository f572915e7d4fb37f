#include "src/commands/solve_options.h"

#include <vector>

#include "src/base/error.h"
#include "src/commands/command_flags.h"
#include "src/config/user_path.h"

namespace dray {
namespace {

Rounding RoundingNamed(const std::string& name) {
  if (name == "exact") return Rounding::kExact;
  return name == "nearest" ? Rounding::kNearest : Rounding::kTrunc01;
}

std::vector<CommandFlag> Flags(SolveOptions& o) {
  constexpr int kMany = 1'000'000'000;
  using Text = const std::string&;
  return {
      {"instance", "FILE", "the problem: a Solomon, VRPLIB, Li & Lim or CSV file",
       [&o](Text, Text v) { o.instance = UserPath(v); }},
      {"oracle", "NAME", "insertion, ruin_recreate (default) or neural",
       [&o](Text t, Text v) {
         o.oracle = OneOf(t, v, {"insertion", "ruin_recreate", "neural"});
       }},
      {"rounds", "N", "of ruin and recreate (default 1000)",
       [&o](Text t, Text v) { o.rounds = WholeNumber(t, v, 0, kMany); }},
      {"seeds", "K", "searches of ruin_recreate, of which the best counts (default 1)",
       [&o](Text t, Text v) { o.seeds = WholeNumber(t, v, 1, 1'000'000); }},
      {"seed", "S", "of all random numbers (default 0)",
       [&o](Text t, Text v) { o.seed = AnySeed(t, v); }},
      {"fewest-vehicles", "", "fewest vehicles first, then least travel (ruin_recreate)",
       [&o](Text, Text) { o.fewest_vehicles = true; }},
      {"starts", "K", "plans that the neural oracle makes, of which the best counts (default 1)",
       [&o](Text t, Text v) { o.starts = WholeNumber(t, v, 1, 1024); }},
      {"weights", "FILE", "of the neural oracle, in place of those shipped",
       [&o](Text, Text v) { o.weights = UserPath(v); }},
      {"device", "NAME", "of the neural oracle: auto (default), cpu or cuda",
       [&o](Text t, Text v) {
         o.device = OneOf(t, v, {"auto", "cpu", "cuda"});
       }},
      {"round-distances", "HOW",
       "trunc01 (default): cut after one decimal; exact: thousandths; nearest: whole",
       [&o](Text t, Text v) {
         o.reading.rounding = RoundingNamed(OneOf(t, v, {"trunc01", "exact", "nearest"}));
       }},
      {"capacity", "N", "of a vehicle, in place of the file's",
       [&o](Text t, Text v) { o.reading.capacity = WholeNumber(t, v, 1, kMany); }},
      {"vehicles", "N", "in place of the file's",
       [&o](Text t, Text v) { o.reading.vehicles = WholeNumber(t, v, 1, kMany); }},
      {"out", "FILE", "write the plan there, in VRPLIB's solution format",
       [&o](Text, Text v) { o.out = UserPath(v); }},
      {"render", "FOLDER", "draw the routes on a map and along a time axis there, as SVG",
       [&o](Text, Text v) { o.render = UserPath(v); }},
      {"clock", "", "the file's times are minutes of a day: pictures show 07:30",
       [&o](Text, Text) { o.clock = true; }},
      {"json", "", "print one JSON object instead of text", [&o](Text, Text) { o.json = true; }},
      {"help", "", "print this", [&o](Text, Text) { o.help = true; }},
  };
}

}  // namespace

SolveOptions ParseSolveOptions(std::span<const std::string> arguments) {
  SolveOptions options;
  if (AsksForHelp(arguments)) {
    options.help = true;
    return options;
  }
  ReadFlags(Flags(options), arguments);
  if (options.instance.empty())
    throw UsageError("--instance: which problem? Name its file: --instance R101.txt");
  return options;
}

std::string SolveHelp() {
  SolveOptions unused;
  return "usage: solve --instance FILE [--flag value | --flag=value] ...\n\n"
         "Solves a routing problem, drives the plan and prints its cost.\n\n" +
         FlagsHelp(Flags(unused)) +
         "\nexamples:\n"
         "  solve --instance R101.txt --rounds 1000 --seeds 3\n"
         "  solve --instance lc101.txt --round-distances exact --fewest-vehicles --out plan.sol\n"
         "  solve --instance lc101.txt --oracle neural --starts 100\n";
}

}  // namespace dray
