#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/interruption.h"
#include "src/base/parallel_for.h"
#include "src/config/command.h"
#include "src/envs/waves/policies/dispatch_policy.h"
#include "src/envs/waves/policies/waves_play.pb.h"
#include "src/envs/waves/random_streams.h"
#include "src/envs/waves/replay.h"
#include "src/output/format.h"
#include "src/output/progress_line.h"

namespace dray {
namespace {

using DayKey = std::pair<std::string, uint64_t>;  // instance and seed

DayKey KeyOf(const waves::RecordedDay& day) {
  return {std::filesystem::weakly_canonical(day.instance).string(), day.seed};
}

// The days that have been played, in a file that is complete after each of them.
class PlayedDays {
 public:
  explicit PlayedDays(const std::string& path) : path_(path) {
    if (path.empty() || !std::filesystem::exists(path)) return;
    text_ = ReadFile(path);
    for (const waves::RecordedDay& day : waves::ParseDays(path, text_)) {
      if (!day.cost) throw UsageError(day.where, ": has no cost; is this a file of played days?");
      known_.insert(KeyOf(day));
      Count(*day.cost);
    }
  }

  bool Has(const waves::RecordedDay& day) const { return known_.contains(KeyOf(day)); }

  // May be called by several threads.
  void Add(const waves::Day& day, const std::string& instance) {
    const std::lock_guard lock(mutex_);
    Count(day.cost());
    if (path_.empty()) return;
    text_ += waves::LineOf(day, instance) + "\n";
    WriteFileAtomically(path_, text_, "--out");
  }

  int64_t days() const { return days_; }
  double mean() const { return sum_ / static_cast<double>(days_); }

 private:
  void Count(int64_t cost) {
    ++days_;
    sum_ += static_cast<double>(cost);
  }

  std::string path_;
  std::string text_;
  std::set<DayKey> known_;
  std::mutex mutex_;
  int64_t days_ = 0;
  double sum_ = 0;
};

waves::Day Play(const waves::RecordedDay& recorded, std::shared_ptr<const waves::Instance> instance,
                const waves::DispatchPolicy& policy, const WavesPlaySettings& settings) {
  const waves::Effort effort = waves::EffortOf(settings.seconds(), settings.rounds());
  // A function of the day, not of its place in the file.
  Rng rng(settings.seed(), waves::kPolicyStream, recorded.seed);
  waves::Day day(std::move(instance), recorded.seed);
  while (!day.done()) {
    if (Interrupted()) throw Interruption();
    day.Dispatch(policy.Decide(day, effort, rng));
  }
  return day;
}

void WavesPlayCommand(const GivenFlags& given) {
  const auto settings = SettingsFrom<WavesPlaySettings>(given);
  const auto policy = waves::MakePolicy(settings.policy());
  CatchInterruptions("days that were played are in the file of --out");
  PlayedDays played(settings.out());
  waves::InstanceFiles files;
  std::vector<waves::RecordedDay> days;
  std::vector<std::shared_ptr<const waves::Instance>> instances;
  for (waves::RecordedDay& day : waves::ReadDays(settings.days())) {
    if (played.Has(day)) continue;
    instances.push_back(files.Get(day.instance));
    days.push_back(std::move(day));
  }
  if (played.days() > 0)
    std::cerr << FormatCounted(played.days(), "day") << " already in " << settings.out() << "\n";
  const int64_t before = played.days();
  {
    ProgressLine progress(
        "playing",
        [&] {
          return static_cast<double>(played.days() - before) / static_cast<double>(days.size());
        },
        std::chrono::seconds(30));
    const int threads = settings.threads() > 0
                            ? settings.threads()
                            : static_cast<int>(std::thread::hardware_concurrency());
    ParallelFor(threads, days.size(), [&](size_t i, int /*thread*/) {
      played.Add(Play(days[i], instances[i], *policy, settings), KeyOf(days[i]).first);
    });
  }
  if (played.days() == 0) throw UsageError(settings.days(), ": has no days");
  std::cout << settings.policy() << ": " << FormatCounted(played.days(), "day")
            << ", mean driving time " << FormatFixed(played.mean(), 1) << " s per day" << std::endl;
}

}  // namespace

namespace commands {
Command waves_play() {
  return {.name = "waves_play",
          .intro = "Plays days of the dynamic problem of EURO Meets NeurIPS 2022 with a policy.\n",
          .examples =
              "  waves_play --days days.jsonl --policy greedy\n"
              "  waves_play --days days.jsonl --seconds 10 --out played.jsonl\n",
          .settings = WavesPlaySettings::descriptor(),
          .flags = {{.name = "days",
                     .form = FlagForm::kPath,
                     .value = "FILE",
                     .path = "days",
                     .ask = "name a file of days: --days days.jsonl"},
                    {.name = "policy", .form = FlagForm::kText, .value = "NAME", .path = "policy"},
                    {.name = "seconds", .value = "S", .path = "seconds"},
                    {.name = "rounds", .value = "N", .path = "rounds"},
                    {.name = "seed", .value = "N", .path = "seed"},
                    {.name = "threads", .value = "N", .path = "threads"},
                    {.name = "out", .form = FlagForm::kPath, .value = "FILE", .path = "out"},
                    kHelpFlag},
          .body = WavesPlayCommand};
}
}  // namespace commands

}  // namespace dray
