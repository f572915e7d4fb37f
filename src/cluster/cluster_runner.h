#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"
#include "src/cluster/layout.h"
#include "src/roles/messages.pb.h"
#include "src/run/coordinator.h"
#include "src/run/side_thread.h"
#include "src/run/training.h"

namespace dray {

// Carries a training out on a cluster: the same loop and the same roles as in one process, each
// role in an actor of its own. Batches and weights stay in the cluster's store and are handed from
// actor to actor; only summaries come here.
class ClusterRunner {
 public:
  ClusterRunner(Training& training, Cluster& cluster);
  ~ClusterRunner();

  // To the end of the run, or to the end of the epoch in which `interrupted` (asked several times a
  // second) turns true.
  void Run(const std::function<bool()>& interrupted);

 private:
  using ObjectPtr = Cluster::ObjectPtr;
  // What is to be done with the answer to a call.
  struct Pending {
    ClusterActor* actor;
    int starts;  // of the actor, when it was called
    ObjectPtr reply;
    std::function<void(std::string reply)> done;
    bool heartbeat = false;
    // The large result of the call that the reply sums up; null: there is none.
    ObjectPtr result = nullptr;
    bool result_seen = false;  // it was there already when somebody looked
  };
  struct KeptBatch {
    ObjectPtr batch;
    RolloutSummary summary;
  };

  // Starting, and starting again.
  void StartActors();
  void StartSideLearner();
  void LoadResumed();
  void AwaitAll(const std::string& what);
  RoleSettings CommonSettings() const;
  RoleSettings ShardSettings(size_t shard) const;
  Cluster::Request Request(const std::string& kind, const std::string& name) const;

  void Carry(const Collect& command);
  void Carry(const Update& command);
  void Carry(const Drop& command) { batches_.erase(command.ticket); }
  void Carry(const Respawn& command);
  void Carry(const RestoreLearner& command);
  void Carry(const Evaluate& command);
  void Carry(const EmitReport& command);
  void Carry(const TakeCheckpoint& command);
  void Carry(const Finish&) {}

  void OnCollected(size_t shard, ObjectPtr batch, const std::string& reply);
  void OnUpdated(ObjectPtr weights, const std::string& reply);
  void OnSaved(const std::function<void(Training::RoleStates&)>& keep);

  // The pump.
  void Tell(const LoopEvent& event);
  Pending& Expect(ClusterActor& actor, ObjectPtr reply, std::function<void(std::string)> done);
  void WaitForAnswers(double timeout_s);
  void Answer(const Pending& pending);
  void AskForHeartbeats();
  void CheckForHangs();
  void CheckForLostResults();
  void Lose(ClusterActor& actor, const std::string& why);
  std::string PhaseNow() const;
  ObjectPtr Learned();
  void RecordActors(bool whole_run);

  Training& training_;
  Cluster& cluster_;
  ClusterLayout layout_;
  std::vector<std::unique_ptr<ClusterActor>> shards_;
  std::vector<int> first_envs_;
  std::vector<std::unique_ptr<ClusterActor>> oracles_;
  std::unique_ptr<ClusterActor> learner_;
  std::unique_ptr<ClusterActor> evaluator_;
  std::unique_ptr<SideThread> side_;  // null: the task has no side learner
  std::atomic<int> side_restarts_ = 0;  // not yet counted
  int replacements_before_ = 0;       // shards of a run that was resumed with another layout

  std::list<Pending> pending_;
  ObjectPtr weights_;
  double published_unix_s_ = 0;
  std::shared_ptr<const std::string> learned_bytes_;  // what learned_ was made of
  ObjectPtr learned_;
  std::unordered_map<Ticket, KeptBatch> batches_;
  std::vector<Ticket> feeding_;  // of the update under way
  std::deque<LoopCommand> commands_;
  Ticket next_ticket_ = 0;
  int64_t next_call_ = 0;
  std::optional<Training::RoleStates> saving_;  // of a checkpoint under way
  size_t saves_missing_ = 0;
  Stopwatch saving_since_, evaluating_since_, since_heartbeat_;
};

}  // namespace dray
