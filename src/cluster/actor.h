#pragma once

#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/loop/actor_account.h"
#include "src/loop/stopwatch.h"

namespace dray {

// One actor of a run: how to start it, and start it again when it is lost; whether it moves; where
// its time goes.
class ClusterActor {
 public:
  ClusterActor(Cluster& cluster, Cluster::Request request)
      : cluster_(cluster), request_(std::move(request)) {}

  // Starts it; after that, ends it and starts another in its place.
  void Start(RoleSettings settings);
  void End();

  Cluster::ObjectPtr Call(const std::string& method,
                          const std::vector<Cluster::Argument>& arguments);

  const std::string& name() const { return request_.name; }
  bool alive() const { return actor_ >= 0; }
  // Whether its process has answered since it was started.
  bool greeted() const { return heartbeat_.has_process(); }
  // How often it was started.
  int starts() const { return starts_; }

  // Between these two it is expected to move. `work` is a literal, such as the method called.
  void BeginWork(const char* work);
  void EndWork(double busy_s);
  bool working() const { return working_; }
  const char* work() const { return work_name_; }
  double working_for_s() const { return working_ ? work_.seconds() : 0; }
  // A heartbeat's answer. True when the cluster restarted the actor since the last one.
  bool OnHeartbeat(const std::string& reply);
  // The last answer; empty before the first.
  const HeartbeatReply& heartbeat() const { return heartbeat_; }
  // How long it has not moved, as far as is known.
  double still_for_s() const { return moved_.seconds(); }
  // Since its last heartbeat's answer, or its start.
  double silent_for_s() const { return heard_.seconds(); }

  // Since the last call of this.
  ActorAccount TakeAccount();
  // Over its whole life.
  ActorAccount total() const { return Completed(total_, life_.seconds()); }

 private:
  // With its name, its memory, and as waiting what is left of the time.
  ActorAccount Completed(ActorAccount account, double elapsed_s) const;

  Cluster& cluster_;
  Cluster::Request request_;
  Cluster::Actor actor_ = -1;  // -1: none
  int starts_ = 0;
  bool working_ = false;
  const char* work_name_ = "";
  Stopwatch work_, moved_, heard_, life_, since_account_;
  HeartbeatReply heartbeat_;
  ActorAccount account_, total_;  // busy_s and transfer_s alone
};

}  // namespace dray
