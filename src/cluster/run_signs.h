#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "src/cluster/actor.h"
#include "src/cluster/run_actors.h"
#include "src/loop/stall_alarm.h"
#include "src/loop/stopwatch.h"

namespace dray {

// What a run on a cluster is at, for the thread that watches whether it moves, and in a file for
// whoever looks from outside.
class RunSigns {
 public:
  // The actors are referred to.
  RunSigns(RunActors& actors, std::string file) : actors_(actors), file_(std::move(file)) {}

  // By the thread that turns the loop. To be called between commands, as often as one likes.
  void Look();
  // An answer of this actor is being fetched and acted on.
  void OnAnswer(const ClusterActor& actor, bool heartbeat);

  // By any thread.
  StallAlarm::Sign Latest() const;

 private:
  RunActors& actors_;
  const std::string file_;
  int64_t answers_ = 0;
  Stopwatch since_look_, since_file_;
  mutable std::mutex mutex_;
  StallAlarm::Sign sign_;  // guarded by mutex_
};

// Who waits for what: of the actors at work, those that have not moved for the longest.
std::string WaitingText(RunActors& actors);
// A line for each actor: what it is at, for how long, and when it was last heard of.
std::string HeartbeatTable(const RunActors& actors);

}  // namespace dray
