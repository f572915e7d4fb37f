#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/oracle/placement.h"
#include "src/oracle/splitting.h"
#include "src/oracle/timed.h"

namespace dray {

// What the task's oracle is made for.
inline OracleContext OracleContextOf(const DvrptwConfig& config) {
  return {.requests = config.num_customers(), .settings = "env.dvrptw.oracle."};
}

// The oracle of a batch of environments: one call per step for all of them, counted for reports; in
// parts of max_batch unless the oracle sees to that.
class StepPricing {
 public:
  StepPricing(MadeOracle oracle, int max_batch);

  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) {
    return oracle_.Improve(problems, plans);
  }
  // A request was added to a plan. Exact costs never fall by that: falls are the oracle's noise.
  void CountStep(int64_t cost_before, int64_t cost_after);

  // What Take adds to the statistics of a rollout, in this order.
  static std::vector<RolloutStat> Stats();
  std::vector<double> TakeStats();
  OracleUse TakeUse();

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  std::function<int64_t()> take_splits_;  // of an oracle that splits by itself; else null
  std::shared_ptr<SplittingOracle> splitting_;
  TimedOracle oracle_;  // of splitting_
  int64_t steps_ = 0;   // since the last TakeStats
  int64_t falls_ = 0;
  OracleTimes reported_;
};

}  // namespace dray
