#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/env/env.h"
#include "src/metrics/report.h"
#include "src/rollout/batch.h"

namespace dray {

// What the loop needs to know of a rollout: little enough to travel without the batch, of which the
// learner alone reads the rest.
struct RolloutSummary {
  BatchOrigin origin;
  int64_t steps = 0;                 // over all environments
  double weights_loaded_unix_s = 0;  // when the policy was ready to act
  std::vector<Episode> episodes;     // that ended
  std::string side_samples;          // for the side learner
  // What the shard measured, under names of metrics/table.cc, where each name's row says how the
  // values of many rollouts become one; its epoch is not used.
  Report metrics;

  std::string ToBytes() const;
  static RolloutSummary FromBytes(std::string_view bytes);

  // A summary of another task, or of environments that the run does not have, is an Error.
  void ExpectOf(const EnvSpec& spec, int shards, int envs) const;
};

}  // namespace dray
