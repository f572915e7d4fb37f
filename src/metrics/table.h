#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dray {

// How the values that many rollouts or updates report of one metric are combined. They cover the
// time since the last report, except kTotal, which covers all since the process began, and kLast,
// which is the value of the newest update.
enum class Combine { kSum, kMean, kMedian, kTotal, kLast };

// One number that a run reports.
struct Metric {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
  Combine combine = Combine::kSum;
};

// Lists all metrics in the order of the reference page. To add one, add a row to table.cc and a
// Report::Record where its value is known: in a shard (EnvShard::RecordMetrics), an update
// (UpdateReport::metrics) or the loop.
std::span<const Metric> Metrics();

// Finds a metric by name; nullptr if there is none.
const Metric* FindMetric(std::string_view name);

// Prefix of an environment's own episode statistics. The rest of the name matches [a-z0-9_]+ and
// needs no row in the table.
inline constexpr std::string_view kEpisodeStatPrefix = "episode/stat/";

// Prefix of the same statistics of an evaluation's episodes.
inline constexpr std::string_view kEvalStatPrefix = "eval/stat/";

// Prefix of an environment's own rollout statistics.
inline constexpr std::string_view kRolloutStatPrefix = "rollout/stat/";

// Prefix of an actor's metrics, followed by the actor's name ([a-z0-9-]+) and one of the figures
// that table.cc lists for actors.
inline constexpr std::string_view kActorPrefix = "actor/";

// Prefix of a single environment's metrics, followed by its number and "episodes", "return" or
// "stat/" with one of the task's episode statistics.
inline constexpr std::string_view kEnvPrefix = "env/";

// Returns true if a report may contain this name: it has a row, or it is a prefixed name as above.
bool IsMetricName(std::string_view name);

// Returns true if the value differs between two equal runs because it measures the clock or the
// machine.
bool DependsOnMachine(std::string_view name);

// Generates configs/METRICS.md.
std::string MetricsReference();

}  // namespace dray
