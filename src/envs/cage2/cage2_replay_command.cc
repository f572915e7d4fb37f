#include <atomic>
#include <iostream>
#include <optional>
#include <string>

#include "src/base/error.h"
#include "src/config/command.h"
#include "src/envs/cage2/cage2_replay.pb.h"
#include "src/envs/cage2/replay.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/output/format.h"
#include "src/output/progress_line.h"

namespace dray {
namespace {

cage2::Rules RulesOf(const Cage2ReplaySettings& settings) {
  cage2::Rules rules{.network = &cage2::NetworkOf(settings.scenario())};
  if (settings.release() == Cage2Config::LEADERBOARD) rules.release = cage2::Release::kLeaderboard;
  if (settings.wrapper() == Cage2Config::CARDIFF) rules.wrapper = cage2::Wrapper::kCardiff;
  return rules;
}

void Cage2ReplayCommand(const GivenFlags& given) {
  const auto settings = SettingsFrom<Cage2ReplaySettings>(given);
  const cage2::Rules rules = RulesOf(settings);
  cage2::ReplayReport all;
  std::atomic<int> read = 0;
  std::optional<ProgressLine> progress(std::in_place, "replaying", [&] {
    return static_cast<double>(read) / settings.traces_size();
  });
  std::string mismatches;
  for (const std::string& path : settings.traces()) {
    const cage2::ReplayReport report =
        cage2::Replay(cage2::ReadTraces(path, *rules.network), rules);
    ++read;
    for (const cage2::Mismatch& mismatch : report.first)
      mismatches += Cat(path, ": ", cage2::TextOf(mismatch), "\n");
    all.episodes += report.episodes;
    all.steps += report.steps;
    all.mismatches += report.mismatches;
  }
  progress.reset();
  std::cout << mismatches << FormatCounted(all.episodes, "episode") << ", "
            << FormatCounted(all.steps, "step") << ", "
            << FormatCounted(all.mismatches, "mismatch", "mismatches") << std::endl;
  if (all.mismatches > 0)
    throw Failure(
        "the game differs from the record; was it made with this --release and "
        "--wrapper?");
}

}  // namespace

namespace commands {
Command cage2_replay() {
  return {
      .name = "cage2_replay",
      .intro =
          "Replays recorded episodes of CAGE challenge 2 with the recorded random outcomes, and\n"
          "compares red's actions, the reward and blue's observation step by step.\n",
      .examples = "  cage2_replay --traces tests/data/cage2/traces_head.csv\n",
      .settings = Cage2ReplaySettings::descriptor(),
      .flags = {{.name = "traces",
                 .form = FlagForm::kPaths,
                 .value = "FILE",
                 .path = "traces",
                 .ask = "name a file of recorded episodes: --traces traces_head.csv"},
                {.name = "scenario", .form = FlagForm::kText, .value = "FILE", .path = "scenario"},
                {.name = "release", .path = "release"},
                {.name = "wrapper", .path = "wrapper"},
                kHelpFlag},
      .body = Cage2ReplayCommand};
}
}  // namespace commands

}  // namespace dray
