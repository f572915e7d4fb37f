#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"
#include "src/loop/run_plan.h"

namespace dray {

// Returns a request for an actor of this role that answers summaries and heartbeats while working.
Cluster::Request ActorRequest(const std::string& kind, const std::string& name);

// The actors of a run, each with its share of the cluster. They end with this object.
class RunActors {
 public:
  // Starts all actors without waiting. An Error if the cluster lacks resources. `first_replacement`
  // is ShardPlace::replacement of the first shards.
  RunActors(const Config& config, const RunPlan& plan, int oracles, int first_replacement,
            Cluster& cluster);
  ~RunActors();

  size_t shards() const { return shards_.size(); }
  ClusterActor& shard(size_t i) { return *shards_[i]; }
  ClusterActor& learner() { return *learner_; }
  ClusterActor& evaluator() { return *evaluator_; }
  // All actors: shards, oracles, learner, evaluator.
  const std::vector<ClusterActor*>& all() const { return all_; }
  const std::vector<ClusterActor*>& oracles() const { return oracles_; }

  // Start another actor in place of this one.
  void ReplaceShard(size_t i);
  void ReplaceLearner();
  void ReplaceEvaluator();

 private:
  ClusterActor* Make(const Cluster::Request& request);

  const Config& config_;
  const RunPlan& plan_;
  Cluster& cluster_;
  const int first_replacement_;
  std::vector<std::unique_ptr<ClusterActor>> owned_;
  std::vector<ClusterActor*> shards_, oracles_, all_;
  ClusterActor* learner_ = nullptr;
  ClusterActor* evaluator_ = nullptr;
};

}  // namespace dray
