#include <atomic>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/config/command.h"
#include "src/envs/waves/replay.h"
#include "src/envs/waves/waves_replay.pb.h"
#include "src/output/format.h"
#include "src/output/progress_line.h"

namespace dray {
namespace {

struct Counts {
  int64_t accepted = 0;
  int64_t rejected = 0;
  int64_t mismatches = 0;  // accepted days whose cost differs from the recorded one
};

bool Matches(const waves::RecordedDay& recorded, const waves::ReplayedDay& replayed) {
  return !recorded.cost || *recorded.cost == replayed.cost;
}

Json JsonOf(const waves::RecordedDay& recorded, const waves::ReplayedDay& replayed) {
  Json json = {{"day", recorded.where}, {"accepted", replayed.accepted()}};
  if (replayed.accepted()) {
    json["cost"] = replayed.cost;
  } else {
    json["fault"] = replayed.fault;
  }
  if (recorded.cost) json["recorded_cost"] = *recorded.cost;
  return json;
}

// Returns a line for a day that differs from its record; empty for all others.
std::string DifferenceOf(const waves::RecordedDay& recorded, const waves::ReplayedDay& replayed) {
  if (!replayed.accepted()) return Cat(recorded.where, ": rejected: ", replayed.fault, "\n");
  if (Matches(recorded, replayed)) return "";
  return Cat(recorded.where, ": cost is ", *recorded.cost, " in the file, ", replayed.cost,
             " in the game\n");
}

void Count(const waves::RecordedDay& recorded, const waves::ReplayedDay& replayed, Counts& counts) {
  ++(replayed.accepted() ? counts.accepted : counts.rejected);
  if (replayed.accepted() && !Matches(recorded, replayed)) ++counts.mismatches;
}

void WavesReplayCommand(const GivenFlags& given) {
  const auto settings = SettingsFrom<WavesReplaySettings>(given);
  std::vector<waves::RecordedDay> days;
  for (const std::string& path : settings.days()) {
    for (waves::RecordedDay& day : waves::ReadDays(path)) days.push_back(std::move(day));
  }
  waves::InstanceFiles instances;
  std::atomic<int64_t> played = 0;
  std::optional<ProgressLine> progress(std::in_place, "replaying", [&] {
    return static_cast<double>(played) / static_cast<double>(days.size());
  });
  Counts counts;
  std::string lines;
  for (const waves::RecordedDay& day : days) {
    const waves::ReplayedDay replayed = waves::Replay(day, instances.Get(day.instance));
    Count(day, replayed, counts);
    lines += settings.json() ? JsonText(JsonOf(day, replayed)) + "\n" : DifferenceOf(day, replayed);
    ++played;
  }
  progress.reset();
  std::cout << lines;
  if (!settings.json()) {
    std::cout << FormatCounted(std::ssize(days), "day") << ": " << FormatCount(counts.accepted)
              << " accepted, " << FormatCount(counts.rejected) << " rejected, "
              << FormatCounted(counts.mismatches, "cost mismatch", "cost mismatches") << "\n";
  }
  std::cout << std::flush;
  if (counts.rejected + counts.mismatches > 0) {
    throw Failure("the game differs from the record; do instance and seed belong to the routes?");
  }
}

}  // namespace

namespace commands {
Command waves_replay() {
  return {
      .name = "waves_replay",
      .intro =
          "Replays recorded days of the dynamic problem of EURO Meets NeurIPS 2022: checks the\n"
          "routes of every epoch and compares the driving times. Example line of the file:\n"
          "  {\"instance\": \"FILE\", \"seed\": 7, \"cost\": 100, \"epochs\": {\"0\": [[3, 1]]}}\n",
      .examples = "  waves_replay --days days.jsonl\n",
      .settings = WavesReplaySettings::descriptor(),
      .flags = {{.name = "days",
                 .form = FlagForm::kPaths,
                 .value = "FILE",
                 .path = "days",
                 .ask = "name a file of recorded days: --days days.jsonl"},
                {.name = "json", .form = FlagForm::kSwitch, .path = "json"},
                kHelpFlag},
      .body = WavesReplayCommand};
}
}  // namespace commands

}  // namespace dray
