#pragma once

#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/cluster/cluster.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/loop/actor_account.h"

namespace dray {

// One actor of a run: starts it, and starts it again if it is lost; tracks whether it makes
// progress and how its time is spent.
class ClusterActor {
 public:
  ClusterActor(Cluster& cluster, Cluster::Request request)
      : cluster_(cluster), request_(std::move(request)) {}

  // Starts the actor; if it was started before, ends it and starts a replacement.
  void Start(RoleSettings settings);
  void End();

  Cluster::ObjectPtr Call(const std::string& method,
                          const std::vector<Cluster::Argument>& arguments);

  const std::string& name() const { return request_.name; }
  bool alive() const { return actor_ >= 0; }
  // Returns whether its process has answered since it was started.
  bool greeted() const { return heartbeat_.has_process(); }
  // Number of times it was started.
  int starts() const { return starts_; }

  // Mark the time in which it is expected to make progress. `work` is a literal, such as the method
  // called.
  void BeginWork(const char* work);
  void EndWork(double busy_s);
  bool working() const { return working_; }
  const char* work() const { return work_name_; }
  double working_for_s() const { return working_ ? work_.seconds() : 0; }
  // Takes the answer to a heartbeat. Returns true if the cluster restarted the actor since the last
  // one.
  bool OnHeartbeat(const std::string& reply);
  // The last answer; empty before the first one.
  const HeartbeatReply& heartbeat() const { return heartbeat_; }
  // Time without progress, as far as is known.
  double still_for_s() const { return moved_.seconds(); }
  // Time since its last answered heartbeat, or its start.
  double silent_for_s() const { return heard_.seconds(); }

  // Returns the account since the last call.
  ActorAccount TakeAccount();
  // Returns the account of its whole life.
  ActorAccount total() const { return Completed(total_, life_.seconds()); }

 private:
  // Fills in its name, its memory, and the rest of the time as waiting.
  ActorAccount Completed(ActorAccount account, double elapsed_s) const;

  Cluster& cluster_;
  Cluster::Request request_;
  Cluster::Actor actor_ = -1;  // -1: none
  int starts_ = 0;
  bool working_ = false;
  const char* work_name_ = "";
  Stopwatch work_, moved_, heard_, life_, since_account_;
  HeartbeatReply heartbeat_;
  ActorAccount account_, total_;  // only busy_s and transfer_s
};

}  // namespace dray
