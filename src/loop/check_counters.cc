#include "src/loop/check_counters.h"

#include <cmath>
#include <optional>

#include "src/base/bytes.h"
#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/learn/learner_counters.h"

namespace dray {
namespace {

template <typename... Parts>
void Expect(bool agrees, const Parts&... parts) {
  if (!agrees) throw Failure("its counters do not agree: ", parts...);
}

std::optional<LearnerCounters> CountersOf(const std::string& learner) {
  if (learner.empty()) return std::nullopt;
  ByteReader in(learner, "the learner's saved state");
  return LearnerCounters::Load(in);
}

}  // namespace

void CheckCounters(const LoopCounters& counters, const Checkpoint& checkpoint, int update_interval,
                   const RunPlan& plan) {
  const int64_t epochs = counters.epochs, updates = counters.updates;
  const int64_t version = counters.policy_version;
  const int64_t steps = counters.total_steps, episodes = counters.completed_episodes;
  for (const int64_t count :
       {epochs, updates, version, steps, episodes, counters.batches_dropped, counters.batches_lost,
        counters.actors_restarted, counters.batches_collected, counters.batches_trained,
        counters.batches_undone, counters.updates_undone}) {
    Expect(IsCount(count), "one of them is ", count);
  }
  Expect(counters.goal_reached == 0 || counters.goal_reached == 1, "goal_reached is ",
         counters.goal_reached);
  Expect(epochs == checkpoint.epoch, epochs, " epochs in the checkpoint of epoch ",
         checkpoint.epoch);
  const int64_t fewest_updates = (epochs + update_interval - 1) / update_interval;
  Expect(fewest_updates <= updates && updates <= epochs, updates, " updates after ", epochs,
         " epochs, with ppo.update_interval ", update_interval);
  Expect(counters.updates_undone <= updates, counters.updates_undone, " of ", updates,
         " updates undone");
  Expect(version >= updates, "policy version ", version, " after ", updates, " updates");
  if (const auto learner = CountersOf(checkpoint.learner)) {
    Expect(learner->version == version, "policy version ", version, " in the loop, ",
           learner->version, " in the learner");
    Expect(learner->updates >= 0 && learner->updates <= updates, "the learner made ",
           learner->updates, " of ", updates, " updates");
  }
  // Shards differ by one environment at most, and one may be learned from more often than another.
  Expect(steps <= 2.0 * epochs * plan.samples_per_epoch, steps, " steps in ", epochs, " epochs of ",
         plan.samples_per_epoch);
  Expect(episodes <= steps, episodes, " episodes in ", steps, " steps");
  Expect(std::isfinite(checkpoint.elapsed_s) && checkpoint.elapsed_s >= 0, "trained for ",
         checkpoint.elapsed_s, " s");
  Expect(checkpoint.best_epoch >= 0 && checkpoint.best_epoch <= epochs,
         "the best evaluation at epoch ", checkpoint.best_epoch, " of ", epochs);
}

}  // namespace dray
