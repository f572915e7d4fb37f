#pragma once

#include <memory>
#include <vector>

#include "src/cluster/actor.h"
#include "src/cluster/cluster.h"
#include "src/search/trial_runner.h"

namespace dray {

// Trains on a cluster, each trial in an actor of its own. The actor's files are copied to the
// trial's folder here. A trial whose actor is lost or hangs is restarted elsewhere, at most
// ray.max_restarts times.
class ClusterTrialRunner : public TrialRunner {
 public:
  // Resources of each actor: its share of the cluster if `parallel` of them work at a time.
  struct Share {
    double cpus = 1, gpus = 0;
    int threads = 1;
  };
  static Share ShareOf(const Config& config, const Cluster::Info& info, int parallel);

  using Say = std::function<void(const std::string& line)>;
  ClusterTrialRunner(Cluster& cluster, Share share, TrialConfig config_of, Say say);

  void Evaluate(std::span<const Trial> trials, const Finished& finished,
                const Interrupted& interrupted) override;

 private:
  struct Running {
    const Trial* trial;
    Config config;
    std::unique_ptr<ClusterActor> actor;
    Cluster::ObjectPtr reply;      // reply of the training; null: finished
    Cluster::ObjectPtr heartbeat;  // null: none requested
  };

  Running Begin(const Trial& trial) const;
  void Start(Running& running) const;
  void Wait(const std::vector<Running>& all) const;
  // Cancels what is still under way and ends all actors.
  void End(std::vector<Running>& all) const;
  // Both functions may find that the actor is lost.
  void Look(Running& running, const Finished& finished) const;
  void LookAtHeartbeat(Running& running, bool due) const;
  void Lose(Running& running, const std::string& why) const;

  Cluster& cluster_;
  Share share_;
  TrialConfig config_of_;
  Say say_;
};

}  // namespace dray
