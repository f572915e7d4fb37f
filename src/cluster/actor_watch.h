#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/cluster/cluster.h"
#include "src/cluster/pending_calls.h"
#include "src/cluster/run_actors.h"
#include "src/config/config.pb.h"

namespace dray {

// Watches the actors of a run by heartbeats. An actor that works without making progress is treated
// as lost.
class ActorWatch {
 public:
  struct Loss {
    ClusterActor* actor;
    std::string why;
  };

  // Keeps references to all arguments.
  ActorWatch(const RayConfig& config, Cluster& cluster, RunActors& actors, PendingCalls& calls)
      : config_(config), cluster_(cluster), actors_(actors), calls_(calls) {}

  // Waits until every actor and every pending call has answered; calls `waiting` several times a
  // second. An actor that cannot do `what`, or takes too long, is an Error.
  void AwaitAll(const std::string& what, const std::function<void()>& waiting);

  // Returns whether the next round of heartbeats is due.
  bool Due() const { return since_round_.seconds() >= config_.heartbeat_interval_s(); }
  // Asks every actor whose last heartbeat was answered. Calls `restarted` for each actor that the
  // cluster restarted by itself. Returns those that could not be asked.
  std::vector<Loss> AskForHeartbeats(const std::function<void(ClusterActor&)>& restarted);
  // Returns the actors that have made no progress for too long.
  std::vector<Loss> Hanging() const;

 private:
  const RayConfig& config_;
  Cluster& cluster_;
  RunActors& actors_;
  PendingCalls& calls_;
  Stopwatch since_round_;
};

}  // namespace dray
