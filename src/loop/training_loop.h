#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "src/loop/coordinator.h"
#include "src/rollout/rollout_summary.h"

namespace dray {

// The coordinator and what its commands and events refer to: commands wait here for a runner, and a
// rollout's summary lies under its ticket until it was learned from, dropped or lost.
class TrainingLoop {
 public:
  explicit TrainingLoop(const LoopSettings& settings, Ticket first_ticket = 0)
      : coordinator_(settings), next_ticket_(first_ticket) {}

  const Coordinator& coordinator() const { return coordinator_; }
  Coordinator& coordinator() { return coordinator_; }

  void Start() { Queue(coordinator_.Start()); }
  void Tell(const LoopEvent& event);
  // What a runner is to do next; nothing: it must wait for what it has begun.
  std::optional<LoopCommand> NextCommand();
  // Whether nothing is left to be done.
  bool over() const { return coordinator_.finished() && commands_.empty(); }

  // A rollout is there, whose batch the runner keeps under this ticket.
  Ticket AddRollout(RolloutSummary summary);
  Ticket next_ticket() const { return next_ticket_; }
  // The update under way is done: the rollouts that it learned from, in its order.
  std::vector<RolloutSummary> TakeLearnedFrom();

 private:
  void Queue(std::vector<LoopCommand> commands);

  Coordinator coordinator_;
  std::deque<LoopCommand> commands_;
  std::map<Ticket, RolloutSummary> rollouts_;  // not yet learned from
  std::vector<Ticket> updating_;               // those of the update under way
  Ticket next_ticket_;
};

}  // namespace dray
