#pragma once

#include <cstdint>

namespace dray {

// What happened over many simulated runs, to see that chance has been everywhere.
struct SimulationTotals {
  int64_t stopped_runs = 0;
  int64_t shards_lost = 0;
  int64_t rollouts_lost = 0;
  int64_t learners_lost = 0;
  int64_t stale_drops = 0;
  int64_t late_answers = 0;
  int64_t checkpoints_given_up = 0;
  int64_t updates_undone = 0;
  int64_t foreseen_updates = 0;
  int64_t foreseen_rollouts = 0;
  int64_t stops_behind_foreseen_rollouts = 0;
};

// One whole run of the loop on a cluster made of chance: settings, speeds, losses, stops, events
// told twice and late answers are all drawn from `seed`. Every command, and the counters after
// every event, are checked against a LoopAccount. A broken rule is an Error that names it and shows
// the events, each with the commands it led to.
void SimulateRun(uint64_t seed, SimulationTotals& totals);

}  // namespace dray
