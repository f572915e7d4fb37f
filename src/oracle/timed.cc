#include "src/oracle/timed.h"

#include "src/base/stopwatch.h"

namespace dray {

template <typename Call>
std::vector<OracleAnswer> TimedOracle::Timed(size_t problems, const Call& call) {
  const Stopwatch watch;
  std::vector<OracleAnswer> answers = call();
  const double elapsed_s = watch.seconds();
  const std::lock_guard lock(mutex_);
  ++times_.calls;
  times_.problems += problems;
  times_.seconds += elapsed_s;
  ++times_.batch_sizes[problems];
  return answers;
}

std::vector<OracleAnswer> TimedOracle::Solve(std::span<const Problem* const> problems) {
  return Timed(problems.size(), [&] { return inner_->Solve(problems); });
}

std::vector<OracleAnswer> TimedOracle::Improve(std::span<const Problem* const> problems,
                                               std::span<const Plan* const> plans) {
  return Timed(problems.size(), [&] { return inner_->Improve(problems, plans); });
}

OracleTimes TimedOracle::times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

}  // namespace dray
