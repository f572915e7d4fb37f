#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/env/env.h"
#include "src/metrics/report.h"
#include "src/rollout/batch.h"

namespace dray {

// Summary of a rollout for the loop. It is small and travels without the batch, which only the
// learner reads.
struct RolloutSummary {
  BatchOrigin origin;
  int64_t steps = 0;                 // sum over all environments
  double weights_loaded_unix_s = 0;  // time the policy was ready to act
  std::vector<Episode> episodes;     // episodes that ended
  std::string side_samples;          // data for the side learner
  // Numbers measured by the shard. The row of each in metrics/table.cc says how the values of many
  // rollouts become one. The epoch is not used.
  Report metrics;

  std::string ToBytes() const;
  static RolloutSummary FromBytes(std::string_view bytes);

  // Throws an Error if the summary is of another task, or of environments that the run does not
  // have.
  void ExpectOf(const EnvSpec& spec, int shards, int envs) const;
};

}  // namespace dray
