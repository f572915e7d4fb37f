#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/cluster/pending_calls.h"
#include "src/cluster/run_actors.h"
#include "src/config/config.pb.h"
#include "src/loop/stopwatch.h"

namespace dray {

// Watches over the actors of a run: heartbeats tell what an actor is at, and one that works and
// does not move is as good as lost.
class ActorWatch {
 public:
  struct Loss {
    ClusterActor* actor;
    std::string why;
  };

  // All are referred to, not copied.
  ActorWatch(const RayConfig& config, Cluster& cluster, RunActors& actors, PendingCalls& calls)
      : config_(config), cluster_(cluster), actors_(actors), calls_(calls) {}

  // Until every actor and every call under way has answered; `waiting` is called several times a
  // second. An actor that cannot do `what`, or takes too long, is an Error.
  void AwaitAll(const std::string& what, const std::function<void()>& waiting);

  // Whether it is time for another round of heartbeats.
  bool Due() const { return since_round_.seconds() >= config_.heartbeat_interval_s(); }
  // Asks every actor whose last heartbeat was answered. `restarted` is called with one that the
  // cluster restarted by itself. Returns those that could not be asked.
  std::vector<Loss> AskForHeartbeats(const std::function<void(ClusterActor&)>& restarted);
  // Those that have not moved for too long.
  std::vector<Loss> Hanging() const;

 private:
  const RayConfig& config_;
  Cluster& cluster_;
  RunActors& actors_;
  PendingCalls& calls_;
  Stopwatch since_round_;
};

}  // namespace dray
