#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/json_fwd.h"
#include "src/env/env.h"

namespace dray {

// The episodes of an evaluation, and what they say of the player.
struct EvaluationReport {
  int64_t policy_version = 0;
  std::vector<Episode> episodes;

  // Of the rewards: RewardOf.
  double mean_return() const;
  double std_return() const;
  double ci95_return() const;
  double mean_length() const;

  std::string ToBytes() const;
  static EvaluationReport FromBytes(std::string_view bytes);
  // A report without episodes, or of those of another task, is an Error.
  void ExpectOf(const EnvSpec& spec) const;
};

// A statistic over the episodes of a report.
struct Spread {
  double mean = 0;
  double std = 0;  // of the sample, unbiased; 0 for one episode
  double sem = 0;  // standard error of the mean
  // Half the width of the 95 % confidence interval of the mean (Student's t); not a number for one
  // episode.
  double ci95 = 0;

  // Mean, std and sem.
  Json ToJson() const;
};

// Of all that was rewarded.
Spread RewardOf(const EvaluationReport& report);

// `stat` is one of spec.episode_stats.
Spread SpreadOf(const EvaluationReport& report, const EnvSpec& spec, std::string_view stat);

}  // namespace dray
