#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

// Runs a training on a cluster: the same loop and roles as in one process, each role in its own
// actor. Batches and weights stay in the cluster's store and pass from actor to actor; only
// summaries come here.
class ClusterRunner {
 public:
  ClusterRunner(Training& training, Cluster& cluster);

  // Runs to the end, or to the end of the epoch in which `interrupted` (called several times a
  // second) returns true.
  void Run(const std::function<bool()>& interrupted);

 private:
  using ObjectPtr = Cluster::ObjectPtr;
  // A checkpoint being taken.
  struct Saving {
    Checkpoint checkpoint;
    std::vector<std::string> shards;  // states, one answer per actor
    std::string torch_file;
    size_t missing = 0;  // answers still to come
    Stopwatch since;
  };

  // A rollout that was called, maybe while the update whose weights it needs was under way: the
  // shards start as soon as these are there.
  struct CalledRollout {
    std::string header;
    ObjectPtr weights;
    ObjectPtr batch;
  };
  // An update that was called, maybe while the rollouts it learns from were under way: the learner
  // starts as soon as they are there.
  struct CalledUpdate {
    std::string header;
    std::vector<ObjectPtr> batches;  // by actor
    ObjectPtr weights;
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

  // The driver is not waited for between a short rollout and its update, nor between that update
  // and the next rollout: both are called before what they need is there.
  void CallRolloutsEarly();
  CalledRollout CallRollout(ClusterActor& actor, double progress, ObjectPtr weights);
  void CallUpdateEarly();
  // Calls the update of these batches, by actor.
  CalledUpdate CallUpdate(double remaining, std::vector<ObjectPtr> batches);
  // Forgets an early update that lost one of its batches. Returns true if the learner had already
  // learned from it: the batch was complete, but its summary was lost.
  bool GiveUpEarlyUpdate();
  // Forgets early rollouts whose weights will not come. A shard that has begun one before is ahead
  // by a rollout that nobody learns from.
  void GiveUpEarlyRollouts();
  void OnCollected(size_t actor, ObjectPtr batch, const std::string& reply);
  void OnUpdated(ObjectPtr weights, const std::string& reply);
  void OnSaved(const std::shared_ptr<Saving>& saving);
  // Requests the learner's state after the update that published this version.
  void KeepLearner(int64_t version);
  // Keeps this as the learner's current state.
  void SetKeptLearner(std::string state);

  // Returns true if actors host several shards: their answers are packed.
  bool packed() const { return training_.plan().shards_per_actor > 1; }
  // Returns the parts of an answer, one per shard of the actor.
  std::vector<std::string_view> Parts(const std::string& reply) const;

  // The main loop.
  void Tell(const LoopEvent& event) { training_.loop().Tell(event); }
  void WaitForAnswers(double timeout_s);
  void Answer(const PendingCall& call);
  void Watch();
  void CheckForLostResults();
  // Returns why an object cannot be fetched, or nothing if it can.
  std::optional<std::string> WhyLost(const Cluster::Object& object);
  // Meets a rollout that never began because its weights were lost, with the learner or after it
  // had published them.
  void LoseRollout(const PendingCall& call);
  int ShardOf(const ClusterActor& actor);
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
  std::shared_ptr<const std::string> side_model_bytes_;  // content of side_model_
  ObjectPtr side_model_;
  std::unordered_map<Ticket, ObjectPtr> batches_;
  std::vector<ObjectPtr> rollouts_;  // the newest of each actor, which may be under way
  std::vector<std::optional<CalledRollout>> early_rollouts_;  // by actor
  Stopwatch rolling_;                                         // since the newest rollout was called
  double last_rollout_s_ = std::numeric_limits<double>::infinity();
  double last_update_s_ = std::numeric_limits<double>::infinity();
  std::optional<CalledUpdate> early_update_;
  ObjectPtr coming_weights_;  // published by the update under way; null: there is none
  int64_t next_call_ = 0;
  std::shared_ptr<Saving> saving_;  // null: no checkpoint is being taken
  Stopwatch evaluating_since_;
  KeptLearner kept_learner_;
  Stopwatch clock_;
  RunSigns signs_;
  StallAlarm alarm_;
};

}  // namespace dray
