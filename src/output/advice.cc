#include "src/output/advice.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr double kSlowUpdate_s = 30;

double OrZero(double value) { return std::isfinite(value) ? value : 0; }

// Returns how much a counter has grown since the previous report.
double Growth(const Report& report, const Report& before, const char* name) {
  return OrZero(report.Get(name)) - OrZero(before.Get(name));
}

}  // namespace

std::vector<std::string> AdviceFor(const Report& report, const Report& before) {
  std::vector<std::string> advice;
  // A resumed run's first report also counts its earlier updates, so the estimate is too low.
  const double updates = std::max(1.0, Growth(report, before, "update"));
  const double update_s = report.Get("time/learn_s") / updates;
  if (update_s > kSlowUpdate_s) {
    advice.push_back(Cat("an update takes ", FormatDuration(update_s),
                         ": a larger ppo.update_interval, fewer ppo.policy_epochs and "
                         "ppo.value_epochs, or a larger ppo.minibatch_size makes it shorter"));
  }
  const double splits = Growth(report, before, "memory/oracle_splits");
  if (splits > 0) {
    advice.push_back(Cat("the oracle ran out of memory and split ",
                         FormatCounted(std::llround(splits), "batch", "batches"),
                         ": a smaller batch limit of the oracle, or a smaller scale.num_envs, "
                         "avoids the retries"));
  }
  const double halved = Growth(report, before, "memory/learner_splits");
  if (halved > 0) {
    advice.push_back(
        Cat("the learner ran out of memory and split ",
            FormatCounted(std::llround(halved), "minibatch", "minibatches"),
            ": updates go on in smaller parts; a smaller ppo.minibatch_size or network "
            "avoids that"));
  }
  return advice;
}

}  // namespace dray
