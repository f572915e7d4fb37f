#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"
#include "src/loop/stopwatch.h"

namespace dray {

// Answers are small and ready when they are fetched.
inline constexpr double kFetchTimeoutS = 60;
// How long a runner rests at most between two looks at what has come and whether it should stop.
inline constexpr double kRestS = 0.2;

// What is to be done with the answer to a call.
struct PendingCall {
  ClusterActor* actor;
  int starts;  // of the actor, when it was called
  Cluster::ObjectPtr reply;
  std::function<void(std::string reply)> done;
  bool heartbeat = false;
  // The large result of the call that the reply sums up; null: there is none.
  Cluster::ObjectPtr result = nullptr;
  std::optional<Stopwatch> result_seen = std::nullopt;  // since somebody looked and it was there

  // Whether the actor is still the one that was called.
  bool current() const { return actor->alive() && actor->starts() == starts; }
};

// Calls whose answers a runner waits for, in the order in which they were made.
class PendingCalls {
 public:
  explicit PendingCalls(Cluster& cluster) : cluster_(cluster) {}

  PendingCall& Add(ClusterActor& actor, Cluster::ObjectPtr reply,
                   std::function<void(std::string)> done);
  bool empty() const { return calls_.empty(); }
  const PendingCall& front() const { return calls_.front(); }
  void Clear() { calls_.clear(); }
  // All calls of this actor.
  void Forget(const ClusterActor& actor);
  bool AwaitsHeartbeat(const ClusterActor& actor) const;

  // Waits until one of them is answered, or for the time; takes those that are.
  std::vector<PendingCall> TakeAnswered(double timeout_s);
  // A call whose arguments were lost with a node never begins: its result is an error, and its
  // summary does not come. Takes those whose result was there for so long.
  std::vector<PendingCall> TakeWithoutSummary(double patience_s);

 private:
  // Takes those of which `which` is true.
  std::vector<PendingCall> Take(const std::function<bool(PendingCall&)>& which);

  Cluster& cluster_;
  std::list<PendingCall> calls_;
};

}  // namespace dray
