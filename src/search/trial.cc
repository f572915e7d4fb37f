#include "src/search/trial.h"

#include <cmath>
#include <limits>

#include "src/base/error.h"
#include "src/base/student_t.h"

namespace dray {

double TrialResult::ci95() const {
  if (episodes < 2) return std::numeric_limits<double>::quiet_NaN();
  return StudentT975(episodes - 1) * std::sqrt(return_variance / episodes);
}

TrialResult Pooled(const std::vector<TrialResult>& results) {
  DRAY_CHECK(!results.empty());
  if (results.size() == 1) return results.front();
  TrialResult pooled;
  double returns = 0, compliance = 0;
  for (const TrialResult& result : results) {
    const double episodes = result.episodes;
    returns += episodes * result.mean_return;
    compliance += episodes * result.compliance;
    pooled.episodes += result.episodes;
    pooled.updates += result.updates;
    pooled.seconds += result.seconds;
    pooled.stopped_early = pooled.stopped_early || result.stopped_early;
  }
  const double all = pooled.episodes;
  pooled.mean_return = returns / all;
  pooled.compliance = compliance / all;
  double squares = 0;
  for (const TrialResult& result : results) {
    const double episodes = result.episodes;
    const double off = result.mean_return - pooled.mean_return;
    squares += (episodes - 1) * result.return_variance + episodes * off * off;
  }
  pooled.return_variance = pooled.episodes > 1 ? squares / (all - 1) : 0;
  return pooled;
}

}  // namespace dray
