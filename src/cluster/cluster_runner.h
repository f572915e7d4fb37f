#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "src/cluster/actor_watch.h"
#include "src/cluster/cluster.h"
#include "src/cluster/kept_learner.h"
#include "src/cluster/pending_calls.h"
#include "src/cluster/run_actors.h"
#include "src/cluster/run_signs.h"
#include "src/loop/coordinator.h"
#include "src/loop/stall_alarm.h"
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
  // A checkpoint under way.
  struct Saving {
    Checkpoint checkpoint;
    std::string torch_file;
    size_t missing = 0;  // answers
    Stopwatch since;
  };

  void LoadResumed(const std::function<void()>& waiting);

  void Do(const Collect& command);
  void Do(const Update& command);
  void Do(const Drop& command) { batches_.erase(command.ticket); }
  void Do(const Respawn& command);
  void Do(const RestoreLearner& command);
  void Do(const Evaluate& command);
  void Do(const EmitReport& command);
  void Do(const TakeCheckpoint& command);
  void Do(const Finish&) {}

  void OnCollected(ObjectPtr batch, const std::string& reply);
  void OnUpdated(ObjectPtr weights, const std::string& reply);
  void OnSaved(const std::shared_ptr<Saving>& saving);
  // Asks for the learner's state after the update that published this version.
  void KeepLearner(int64_t version);
  // The learner's state as of now.
  void SetKeptLearner(std::string state);

  // The pump.
  void Tell(const LoopEvent& event) { training_.loop().Tell(event); }
  void WaitForAnswers(double timeout_s);
  void Answer(const PendingCall& call);
  void Watch();
  void CheckForLostResults();
  void Lose(ClusterActor& actor, const std::string& why);
  std::string PhaseNow();
  ObjectPtr SideModel();
  void RecordActors(bool whole_run);

  ClusterActor& learner() { return actors_.learner(); }
  ClusterActor& evaluator() { return actors_.evaluator(); }

  Training& training_;
  Cluster& cluster_;
  RunActors actors_;
  PendingCalls calls_;
  ActorWatch watch_;

  ObjectPtr weights_;
  double published_unix_s_ = 0;
  std::shared_ptr<const std::string> side_model_bytes_;  // what side_model_ was made of
  ObjectPtr side_model_;
  std::unordered_map<Ticket, ObjectPtr> batches_;
  int64_t next_call_ = 0;
  std::shared_ptr<Saving> saving_;  // null: none
  Stopwatch evaluating_since_;
  KeptLearner kept_learner_;
  Stopwatch clock_;
  RunSigns signs_;
  StallAlarm alarm_;
};

}  // namespace dray
