#include <iostream>
#include <vector>

#include "src/base/error.h"
#include "src/commands/command_flags.h"
#include "src/commands/commands.h"
#include "src/config/user_path.h"
#include "src/envs/cage2/replay.h"

namespace dray {
namespace {

struct Options {
  std::vector<std::string> traces;
  cage2::Rules rules;
};

std::vector<CommandFlag> Flags(Options& o) {
  using Text = const std::string&;
  return {
      {"traces", "FILE", "recorded episodes, as comma-separated values; may be given repeatedly",
       [&o](Text, Text v) { o.traces.push_back(UserPath(v)); }},
      {"release", "NAME", "of the game that they were recorded from: head (default) or leaderboard",
       [&o](Text t, Text v) {
         o.rules.release = cage2::ReleaseNamed(OneOf(t, v, {"head", "leaderboard"}));
       }},
      {"wrapper", "NAME", "through which blue looked: stock (default) or cardiff",
       [&o](Text t, Text v) {
         o.rules.wrapper = cage2::WrapperNamed(OneOf(t, v, {"stock", "cardiff"}));
       }},
      {"help", "", "print this", [](Text, Text) {}},
  };
}

std::string Help() {
  Options unused;
  return "usage: cage2_replay --traces FILE [--flag value | --flag=value] ...\n\n"
         "Plays recorded episodes of CAGE challenge 2 once more, with the recorded outcomes of\n"
         "chance, and compares what red does, the reward and blue's view, step by step.\n\n" +
         FlagsHelp(Flags(unused)) +
         "\nexample:\n"
         "  cage2_replay --traces tests/data/cage2/traces_head.csv\n";
}

}  // namespace

void Cage2ReplayCommand(std::span<const std::string> arguments) {
  if (AsksForHelp(arguments)) {
    std::cout << Help() << std::flush;
    return;
  }
  Options options;
  ReadFlags(Flags(options), arguments);
  if (options.traces.empty())
    throw UsageError("--traces: which episodes? Name their file: --traces traces_head.csv");
  cage2::ReplayReport all;
  for (const std::string& path : options.traces) {
    const cage2::ReplayReport report = cage2::Replay(cage2::ReadTraces(path), options.rules);
    for (const cage2::Mismatch& mismatch : report.first)
      std::cout << path << ": " << cage2::TextOf(mismatch) << "\n";
    all.episodes += report.episodes;
    all.steps += report.steps;
    all.mismatches += report.mismatches;
  }
  std::cout << all.episodes << " episodes, " << all.steps << " steps, " << all.mismatches
            << " mismatches" << std::endl;
  if (all.mismatches > 0)
    throw Failure(
        "the game differs from the record; was it made with this --release and "
        "--wrapper?");
}

}  // namespace dray
