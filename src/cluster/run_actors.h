#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"
#include "src/loop/run_plan.h"

namespace dray {

// A request for an actor of this role, which answers summaries and heartbeats while it works.
Cluster::Request ActorRequest(const std::string& kind, const std::string& name);

// The actors of a run, each with its share of the cluster. They end with this object.
class RunActors {
 public:
  // Starts them all, and waits for none. What the cluster lacks is an Error. `first_replacement` is
  // that of the first shards (ShardPlace).
  RunActors(const Config& config, const RunPlan& plan, int oracles, int first_replacement,
            Cluster& cluster);
  ~RunActors();

  size_t shards() const { return shards_.size(); }
  ClusterActor& shard(size_t i) { return *shards_[i]; }
  ClusterActor& learner() { return *learner_; }
  ClusterActor& evaluator() { return *evaluator_; }
  // Shards, oracles, learner, evaluator.
  const std::vector<ClusterActor*>& all() const { return all_; }
  const std::vector<ClusterActor*>& oracles() const { return oracles_; }

  // Another in its place.
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
