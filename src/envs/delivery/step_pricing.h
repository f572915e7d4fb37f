#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/oracle/placement.h"
#include "src/oracle/timed.h"

namespace dray::delivery {

// Prices the plans of a batch of environments, with one oracle call per step for all of them, and
// counts calls for reports. Batches that share the oracle and step side by side share the call.
class StepPricing {
 public:
  explicit StepPricing(MadeOracle oracle);

  // See EnvSpec and BatchEnv.
  bool shared_oracle() const { return made_.meeting != nullptr; }
  void OnRollout(const RolloutContext& context);
  void OnRolloutEnd() { attendance_.reset(); }

  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) {
    problems_ += std::ssize(problems);
    return oracle_.Improve(problems, plans);
  }
  // Counts a request that was added to a plan. Exact costs never fall then: falls are noise.
  void CountStep(int64_t cost_before, int64_t cost_after);

  // Names of the rollout statistics, in the order of TakeStats.
  static std::vector<RolloutStat> Stats();
  std::vector<double> TakeStats();
  ServiceUse TakeUse();

  // Counts for reports that a saved batch has.
  struct Counts {
    int64_t steps = 0;
    int64_t falls = 0;
  };
  void Save(ByteWriter& out) const;
  static Counts ReadCounts(ByteReader& in);
  void SetCounts(const Counts& counts);

 private:
  MadeOracle made_;
  TimedOracle oracle_;  // measures how long these environments wait
  std::optional<BatchingOracle::Attendance> attendance_;
  int64_t steps_ = 0;  // counted since the last TakeStats
  int64_t falls_ = 0;
  int64_t problems_ = 0;  // asked by these environments alone
  double reported_s_ = 0;
};

}  // namespace dray::delivery
