#include "src/oracle/counted.h"

namespace dray {

OracleCalls CountedOracle::TakeCalls() {
  const std::lock_guard lock(mutex_);
  const OracleTimes times = timed_->times();
  const OracleCalls before = taken_;
  taken_ = {times.calls, times.problems};
  return {taken_.calls - before.calls, taken_.problems - before.problems};
}

}  // namespace dray
