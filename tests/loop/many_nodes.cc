#include "tests/loop/many_nodes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/loop/coordinator.h"

namespace dray {
namespace {

// Something that does one thing after the other.
class Worker {
 public:
  // Returns when work that arrives at `time` is done.
  double Serve(double time, double duration) {
    free_at_ = std::max(time, free_at_) + duration;
    busy_s_ += duration;
    return free_at_;
  }
  double busy_s() const { return busy_s_; }

 private:
  double free_at_ = 0;
  double busy_s_ = 0;
};

class SimulatedRun {
 public:
  SimulatedRun(const TrainingLoad& load, const ClusterCosts& costs, const ClusterShape& shape,
               int epochs)
      : load_(load),
        costs_(costs),
        shape_(shape),
        actors_(shape.nodes * shape.actors_per_node),
        shards_per_actor_(shape.cores_per_node / shape.actors_per_node),
        coordinator_({.shards = actors_,
                      .batches_per_shard = std::vector<int>(actors_, shards_per_actor_),
                      .epoch_limit = epochs}),
        stores_(shape.nodes),
        weights_at_(shape.nodes),
        newest_batch_(actors_),
        called_early_(actors_) {
    DRAY_CHECK_EQ(shape.cores_per_node % shape.actors_per_node, 0);
  }

  SimulatedTraining Run(int epochs) {
    Obey(coordinator_.Start());
    while (!events_.empty()) {
      Due due = events_.top();
      events_.pop();
      now_ = due.time;
      if (!due.heard) {
        events_.push({driver_.Serve(now_, costs_.answer_s), due.event, /*heard=*/true});
        continue;
      }
      // As in a runner, tickets are numbered in the order in which batches are heard of.
      if (auto* collected = std::get_if<Collected>(&due.event)) {
        collected->ticket = std::ssize(batches_);
        batches_.push_back(newest_batch_[collected->shard]);
      }
      Obey(coordinator_.On(due.event));
    }
    DRAY_CHECK(coordinator_.finished());
    const double samples = SamplesOf(actors_) * epochs;
    return {.epoch_s = now_ / epochs,
            .samples_per_s = samples / now_,
            .driver = driver_.busy_s() / now_,
            .learner = learner_.busy_s() / now_,
            .network = network_.busy_s() / now_,
            .cores = samples * load_.step_s / (now_ * shape_.nodes * shape_.cores_per_node)};
  }

 private:
  struct Due {
    double time;
    LoopEvent event;
    bool heard = false;  // by the driver; else it has only arrived there
    bool operator<(const Due& other) const { return time > other.time; }  // the first is on top
  };

  double SamplesOf(int actors) const {
    return 1.0 * actors * shards_per_actor_ * load_.envs_per_core * load_.rollout_steps;
  }
  double BatchBytes() const { return SamplesOf(1) * load_.sample_bytes; }
  int NodeOf(int actor) const { return actor / shape_.actors_per_node; }

  void Obey(const std::vector<LoopCommand>& commands) {
    for (const LoopCommand& command : commands) {
      std::visit([this](const auto& what) { Do(what); }, command);
    }
    CallEarly();
  }

  // As the cluster's runner does: the driver is not waited for between a rollout and its update.
  void CallEarly() {
    if (!update_called_ && coordinator_.ForeseenUpdate()) update_called_ = Call();
    if (updated_at_ && coordinator_.ForeseeRollouts()) {
      for (std::optional<double>& call : called_early_) {
        if (!call) call = Call();
      }
    }
  }

  // Returns when a call that the driver makes now reaches its actor.
  double Call() { return driver_.Serve(now_, costs_.call_s) + costs_.way_s; }
  // The driver is told of what was done at `time`.
  void Tell(double time, const LoopEvent& event) {
    events_.push({std::max(now_, time + costs_.way_s), event});
  }

  void Do(const Collect& command) {
    const std::optional<double> early =
        std::exchange(called_early_.at(command.shard), std::nullopt);
    const double called = early ? *early : Call();
    Call();  // for the summary
    const int node = NodeOf(command.shard);
    const double begins = std::max(called, weights_at_[node]);
    const double rolled = begins + load_.envs_per_core * load_.rollout_steps * load_.step_s;
    const double ready = stores_[node].Serve(rolled, BatchBytes() / costs_.store_bytes_per_s);
    newest_batch_[command.shard] = {.ready = ready, .node = node};
    Tell(ready, Collected{.shard = command.shard,
                          .ticket = 0,
                          .policy_version = coordinator_.counters().policy_version,
                          .steps = static_cast<int64_t>(SamplesOf(1)),
                          .episodes = 0});
  }

  void Do(const Update& command) {
    double ready = update_called_ ? *std::exchange(update_called_, std::nullopt) : Call();
    Call();  // for the summary
    // Batches of other nodes come through the learner's network, as they get ready.
    std::vector<Batch> batches;
    for (const Ticket ticket : command.tickets) batches.push_back(batches_.at(ticket));
    std::ranges::sort(batches, {}, &Batch::ready);
    for (const Batch& batch : batches) {
      const double here =
          batch.node < shape_.learners
              ? batch.ready
              : network_.Serve(batch.ready + costs_.way_s,
                               BatchBytes() / shape_.learners / costs_.network_bytes_per_s);
      ready = learner_.Serve(std::max(ready, here),
                             BatchBytes() / shape_.learners / costs_.store_bytes_per_s);
    }
    updated_at_ = learner_.Serve(ready, LearningSeconds(SamplesOf(std::ssize(command.tickets))));
    // Each node fetches the weights once.
    for (int node = 0; node < shape_.nodes; ++node) {
      weights_at_[node] = node == 0
                              ? *updated_at_
                              : network_.Serve(*updated_at_ + costs_.way_s,
                                               load_.weight_bytes / costs_.network_bytes_per_s);
    }
    Tell(*updated_at_, Updated{.policy_version = coordinator_.counters().policy_version + 1});
  }

  // Learners take a step together, each on a minibatch of its own, and pass gradients around a
  // ring.
  double LearningSeconds(double samples) const {
    const double steps = std::ceil(samples * load_.passes / load_.minibatch / shape_.learners);
    const int others = shape_.learners - 1;
    const double exchange_s =
        others == 0
            ? 0
            : 2.0 * others * costs_.way_s / 10 +  // without Ray between them
                  2.0 * others / shape_.learners * load_.weight_bytes / costs_.network_bytes_per_s;
    return steps * (load_.minibatch_s + exchange_s);
  }

  void Do(const Evaluate&) { Tell(now_, Evaluated{}); }
  void Do(const TakeCheckpoint&) { Tell(now_, Checkpointed{}); }
  void Do(const Drop&) {}
  void Do(const EmitReport&) {}
  void Do(const Finish&) {}
  // Nothing is lost here.
  void Do(const Respawn&) { DRAY_CHECK(false); }
  void Do(const RestoreLearner&) { DRAY_CHECK(false); }

  struct Batch {
    double ready = 0;
    int node = 0;
  };

  const TrainingLoad load_;
  const ClusterCosts costs_;
  const ClusterShape shape_;
  const int actors_;
  const int shards_per_actor_;
  Coordinator coordinator_;
  double now_ = 0;
  std::priority_queue<Due> events_;
  Worker driver_, learner_, network_;  // network_: that of the learner's node
  std::vector<Worker> stores_;
  std::vector<double> weights_at_;       // when the newest weights are on each node
  std::vector<Batch> newest_batch_;      // of each shard
  std::vector<Batch> batches_;           // by ticket
  std::optional<double> update_called_;  // early: when the call reaches the learner
  std::optional<double> updated_at_;     // when the newest update ended
  std::vector<std::optional<double>> called_early_;
};

}  // namespace

SimulatedTraining SimulateTraining(const TrainingLoad& load, const ClusterCosts& costs,
                                   const ClusterShape& shape, int epochs) {
  return SimulatedRun(load, costs, shape, epochs).Run(epochs);
}

}  // namespace dray
