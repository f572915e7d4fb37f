#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/loop/stopwatch.h"

namespace dray {

// Where an actor's time went, in seconds; the rest of it is waiting for something to do.
struct ActorTimes {
  double busy_s = 0;      // in its role, by its own count
  double transfer_s = 0;  // from the call to its answer, less that
};

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

  // Between these two it is expected to move.
  void BeginWork();
  void EndWork(double busy_s);
  bool working() const { return working_; }
  double working_for_s() const { return working_ ? work_.seconds() : 0; }
  // A heartbeat's answer. True when the cluster restarted the actor since the last one.
  bool OnHeartbeat(const std::string& reply);
  // The last answer; empty before the first.
  const HeartbeatReply& heartbeat() const { return heartbeat_; }
  // How long it has not moved, as far as is known.
  double still_for_s() const { return moved_.seconds(); }

  // Since the last call of this; waiting is what is left of `elapsed_s`.
  struct Account {
    ActorTimes times;
    double waiting_s = 0;
  };
  Account TakeAccount();
  // Over its whole life.
  Account total() const;

 private:
  Cluster& cluster_;
  Cluster::Request request_;
  Cluster::Actor actor_ = -1;  // -1: none
  int starts_ = 0;
  bool working_ = false;
  Stopwatch work_, moved_, life_, since_account_;
  HeartbeatReply heartbeat_;
  ActorTimes account_, total_;
};

}  // namespace dray
