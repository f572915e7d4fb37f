#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "src/loop/coordinator.h"
#include "src/rollout/rollout_summary.h"

namespace dray {

// The coordinator together with what its commands and events refer to: commands are queued for a
// runner, and a rollout's summary is stored by its ticket until it is learned from, dropped or
// lost.
class TrainingLoop {
 public:
  explicit TrainingLoop(const LoopSettings& settings, Ticket first_ticket = 0)
      : coordinator_(settings), next_ticket_(first_ticket) {}

  const Coordinator& coordinator() const { return coordinator_; }
  Coordinator& coordinator() { return coordinator_; }

  void Start() { Queue(coordinator_.Start()); }
  void Tell(const LoopEvent& event);
  // Returns the next command for a runner; nullopt: it must wait for what it has started.
  std::optional<LoopCommand> NextCommand();
  // Returns whether nothing is left to do.
  bool over() const { return coordinator_.finished() && commands_.empty(); }

  // Adds what one of the loop's shards collected: one rollout, or one from each shard of an actor.
  // The runner keeps the batch under the returned ticket.
  Ticket AddRollouts(int shard, std::vector<RolloutSummary> summaries);
  Ticket next_ticket() const { return next_ticket_; }
  // Ends the current update; returns the rollouts it learned from, in order.
  std::vector<RolloutSummary> TakeLearnedFrom();

 private:
  void Queue(std::vector<LoopCommand> commands);

  Coordinator coordinator_;
  std::deque<LoopCommand> commands_;
  std::map<Ticket, std::vector<RolloutSummary>> rollouts_;  // not yet learned from
  std::vector<Ticket> updating_;                            // tickets of the current update
  Ticket next_ticket_;
};

}  // namespace dray
