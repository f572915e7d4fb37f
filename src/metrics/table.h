#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dray {

// How the values that many rollouts have of one metric become the one that is reported. Those
// since the last report count, but for kTotal: all since the process began.
enum class Combine { kSum, kMean, kMedian, kTotal };

// One number that a run reports.
struct Metric {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
  Combine combine = Combine::kSum;
};

// Every metric, in the order of the reference page. To add one: a row in table.cc and a
// Report::Record where its number is known, be it in a shard (EnvShard::RecordMetrics).
std::span<const Metric> Metrics();

// The row of that name, or nullptr.
const Metric* FindMetric(std::string_view name);

// Environments name their own episode statistics: this prefix, then [a-z0-9_]+, needs no row.
inline constexpr std::string_view kEpisodeStatPrefix = "episode/stat/";

// The same, of an evaluation's episodes.
inline constexpr std::string_view kEvalStatPrefix = "eval/stat/";

// Likewise for the statistics of rollouts.
inline constexpr std::string_view kRolloutStatPrefix = "rollout/stat/";

// And for the actors of a run: this prefix, the actor's name ([a-z0-9-]+), then one of the figures
// that table.cc lists for actors.
inline constexpr std::string_view kActorPrefix = "actor/";

// And for single environments: this prefix, the environment's number, then "episodes", "return" or
// "stat/" and one of the task's episode statistics.
inline constexpr std::string_view kEnvPrefix = "env/";

// Whether a report may carry that name: it has a row, or it is an environment's own statistic.
bool IsMetricName(std::string_view name);

// Whether the number differs between two equal runs, for it measures the clock or the machine.
bool DependsOnMachine(std::string_view name);

// configs/METRICS.md, to the letter.
std::string MetricsReference();

}  // namespace dray
