#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/oracle/placement.h"
#include "src/oracle/timed.h"

namespace dray {

// What the task's oracle is made for.
inline OracleContext OracleContextOf(const DvrptwConfig& config) {
  return {.requests = config.num_customers(), .settings = "env.dvrptw.oracle."};
}

// The oracle of a batch of environments: one call per step for all of them, counted for reports.
// Where several batches share the oracle, one call for those that step side by side.
class StepPricing {
 public:
  explicit StepPricing(MadeOracle oracle);

  // As EnvSpec and BatchEnv have them.
  bool shared_oracle() const { return made_.meeting != nullptr; }
  void OnRollout(const RolloutContext& context);
  void OnRolloutEnd() { attendance_.reset(); }

  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) {
    problems_ += std::ssize(problems);
    return oracle_.Improve(problems, plans);
  }
  // A request was added to a plan. Exact costs never fall by that: falls are the oracle's noise.
  void CountStep(int64_t cost_before, int64_t cost_after);

  // What Take adds to the statistics of a rollout, in this order.
  static std::vector<RolloutStat> Stats();
  std::vector<double> TakeStats();
  ServiceUse TakeUse();

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  MadeOracle made_;
  TimedOracle oracle_;  // as these environments wait for it
  std::optional<BatchingOracle::Attendance> attendance_;
  int64_t steps_ = 0;  // since the last TakeStats
  int64_t falls_ = 0;
  int64_t problems_ = 0;  // asked for here, whoever shares the oracle
  double reported_s_ = 0;
};

}  // namespace dray
