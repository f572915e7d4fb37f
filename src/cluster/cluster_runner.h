#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/cluster/pending_calls.h"
#include "src/cluster/run_actors.h"
#include "src/loop/coordinator.h"
#include "src/loop/side_thread.h"
#include "src/loop/training.h"

namespace dray {

// Carries a training out on a cluster: the same loop and the same roles as in one process, each
// role in an actor of its own. Batches and weights stay in the cluster's store and are handed from
// actor to actor; only summaries come here.
class ClusterRunner {
 public:
  ClusterRunner(Training& training, Cluster& cluster);

  // To the end of the run, or to the end of the epoch in which `interrupted` (asked several times a
  // second) turns true.
  void Run(const std::function<bool()>& interrupted);

 private:
  using ObjectPtr = Cluster::ObjectPtr;
  struct KeptBatch {
    ObjectPtr batch;
    RolloutSummary summary;
  };

  // Starting, and starting again.
  void StartSideLearner();
  void LoadResumed();
  void AwaitAll(const std::string& what);

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
  void WaitForAnswers(double timeout_s);
  void Answer(const PendingCall& call);
  void AskForHeartbeats();
  void CheckForHangs();
  void CheckForLostResults();
  void Lose(ClusterActor& actor, const std::string& why);
  // The batches of the update under way, which came to nothing.
  void ForgetFed();
  std::string PhaseNow();
  ObjectPtr Learned();
  void RecordActors(bool whole_run);

  ClusterActor& learner() { return actors_.learner(); }
  ClusterActor& evaluator() { return actors_.evaluator(); }

  Training& training_;
  Cluster& cluster_;
  RunActors actors_;
  PendingCalls calls_;
  std::unique_ptr<SideThread> side_;    // null: the task has no side learner
  std::atomic<int> side_restarts_ = 0;  // not yet counted

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
