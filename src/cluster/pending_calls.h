#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"

namespace dray {

// Time limit for fetching an answer, which is small and already there.
inline constexpr double kFetchTimeoutS = 60;
// Longest pause of a runner between two checks for answers and for interruption.
inline constexpr double kRestS = 0.2;

// A call, and what to do with its answer.
struct PendingCall {
  ClusterActor* actor;
  int starts;  // actor->starts() at the time of the call
  Cluster::ObjectPtr reply;
  std::function<void(std::string reply)> done;
  bool heartbeat = false;
  // The large result of the call that the reply summarises; null: none.
  Cluster::ObjectPtr result = nullptr;
  // The weights that the call was made with, if it is a rollout; null: none.
  Cluster::ObjectPtr weights = nullptr;
  std::optional<Stopwatch> result_seen = std::nullopt;  // runs since the result was first seen

  // Returns whether the actor is still the one that was called.
  bool current() const { return actor->alive() && actor->starts() == starts; }
};

// Calls that a runner waits for, oldest first.
class PendingCalls {
 public:
  explicit PendingCalls(Cluster& cluster) : cluster_(cluster) {}

  PendingCall& Add(ClusterActor& actor, Cluster::ObjectPtr reply,
                   std::function<void(std::string)> done);
  bool empty() const { return calls_.empty(); }
  const PendingCall& front() const { return calls_.front(); }
  void Clear() { calls_.clear(); }
  // Removes all calls of this actor.
  void Forget(const ClusterActor& actor);
  bool AwaitsHeartbeat(const ClusterActor& actor) const;

  // Waits until a call is answered or the time is over; removes and returns the answered ones.
  std::vector<PendingCall> TakeAnswered(double timeout_s);
  // Removes and returns the calls whose result has been there for `patience_s` without a summary: a
  // call whose arguments were lost with a node never begins, and its result is an error.
  std::vector<PendingCall> TakeWithoutSummary(double patience_s);

 private:
  // Removes and returns the calls for which `which` is true.
  std::vector<PendingCall> Take(const std::function<bool(PendingCall&)>& which);

  Cluster& cluster_;
  std::list<PendingCall> calls_;
};

}  // namespace dray
