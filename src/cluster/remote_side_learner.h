#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"
#include "src/env/side_learner.h"
#include "src/loop/run_plan.h"

namespace dray {

// The side learner in its own actor. If lost, it is restarted from its state after the last update
// or load; samples added since are lost. Meant for a SideLearnerThread: every call waits for its
// answer.
class RemoteSideLearner : public SideLearner {
 public:
  // `local` gives the properties of the side learner and is not kept. `restarted` is called with a
  // message, by any thread.
  RemoteSideLearner(Cluster& cluster, Cluster::Request request, const SideLearner& local,
                    int max_restarts, std::function<void(const std::string&)> restarted);
  ~RemoteSideLearner() override;

  void Add(std::string_view samples) override;
  std::vector<std::string> Update() override;
  std::string Publish() const override { return published_; }
  bool synchronous() const override { return synchronous_; }
  int update_epochs() const override { return update_epochs_; }
  std::string Save() const override;
  void Load(std::string_view state) override;

 private:
  void Start();
  void Remember();
  std::string Ask(const std::string& method, const std::vector<std::string>& arguments) const;
  // Asks the actor, or its replacement if it is lost.
  std::string AskAnew(const std::string& method, const std::vector<std::string>& arguments);

  Cluster& cluster_;
  const Cluster::Request request_;
  const bool synchronous_;
  const int update_epochs_;
  const int max_restarts_;
  std::function<void(const std::string&)> restarted_;
  Cluster::Actor actor_ = -1;
  int starts_ = 0;
  std::string state_;  // state after the last update or load
  std::string published_;
};

// Makes the side learner of the config's task, in this process or, with ray.embedder: actor, in its
// own actor; null if the task has none. `restarted` as above.
std::unique_ptr<SideLearner> MakeSideLearner(const Config& config, const RunPlan& plan,
                                             Cluster& cluster,
                                             std::function<void(const std::string&)> restarted);

}  // namespace dray
