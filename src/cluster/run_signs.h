#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "src/base/stopwatch.h"
#include "src/cluster/actor.h"
#include "src/cluster/run_actors.h"
#include "src/loop/stall_alarm.h"

namespace dray {

// State of a run on a cluster, for the thread that watches for stalls, and in a file for observers.
class RunSigns {
 public:
  // Keeps a reference to the actors.
  RunSigns(RunActors& actors, std::string file) : actors_(actors), file_(std::move(file)) {}

  // Updates the state. Called by the thread of the loop between commands, as often as it likes.
  void Look();
  // Called when an answer of this actor is being fetched and handled.
  void OnAnswer(const ClusterActor& actor, bool heartbeat);

  // Returns the newest state. Thread-safe.
  StallAlarm::Sign Latest() const;

 private:
  RunActors& actors_;
  const std::string file_;
  int64_t answers_ = 0;
  Stopwatch since_look_, since_file_;
  mutable std::mutex mutex_;
  StallAlarm::Sign sign_;  // guarded by mutex_
};

// Describes who waits for what: the working actors that have made no progress for the longest.
std::string WaitingText(RunActors& actors);
// Returns one line per actor: what it does, for how long, and when it last answered.
std::string HeartbeatTable(const RunActors& actors);

}  // namespace dray
