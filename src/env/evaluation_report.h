#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/json_fwd.h"
#include "src/env/env.h"

namespace dray {

// Episodes of an evaluation, and their summary.
struct EvaluationReport {
  int64_t policy_version = 0;
  std::vector<Episode> episodes;
  // Returns of the task's yardstick on the same episodes; both empty if it has none.
  std::vector<double> reference_returns, rival_returns;

  double mean_return() const;
  double mean_length() const;

  std::string ToBytes() const;
  static EvaluationReport FromBytes(std::string_view bytes);
  // Throws an Error if there are no episodes, or if they belong to another task.
  void ExpectOf(const EnvSpec& spec) const;
};

// Distribution of a statistic over the episodes of a report.
struct Spread {
  double mean = 0;
  double std = 0;  // unbiased sample estimate; 0 for one episode
  double sem = 0;  // standard error of the mean
  // Half the width of the 95 % confidence interval of the mean (Student's t); NaN for one episode.
  double ci95 = 0;

  // Returns mean, std and sem.
  Json ToJson() const;
};

// Returns the spread of the total reward.
Spread RewardOf(const EvaluationReport& report);

// Returns the spread of the gains over reference_returns, which must be there.
Spread GainOf(const EvaluationReport& report);

// Returns the spread of `stat`, one of spec.episode_stats.
Spread SpreadOf(const EvaluationReport& report, const EnvSpec& spec, std::string_view stat);

}  // namespace dray
