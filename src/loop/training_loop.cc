#include "src/loop/training_loop.h"

#include <utility>

#include "src/base/error.h"

namespace dray {

void TrainingLoop::Tell(const LoopEvent& event) {
  if (std::holds_alternative<LearnerLost>(event) || std::holds_alternative<UpdateLost>(event)) {
    for (const Ticket ticket : std::exchange(updating_, {})) rollouts_.erase(ticket);
  }
  Queue(coordinator_.On(event));
}

void TrainingLoop::Queue(std::vector<LoopCommand> commands) {
  for (LoopCommand& command : commands) {
    if (const auto* update = std::get_if<Update>(&command)) updating_ = update->tickets;
    if (const auto* drop = std::get_if<Drop>(&command)) rollouts_.erase(drop->ticket);
    commands_.push_back(std::move(command));
  }
}

std::optional<LoopCommand> TrainingLoop::NextCommand() {
  std::optional<LoopCommand> command;
  if (commands_.empty()) return command;
  command.emplace(std::move(commands_.front()));
  commands_.pop_front();
  return command;
}

Ticket TrainingLoop::AddRollout(RolloutSummary summary) {
  const Ticket ticket = next_ticket_++;
  const Collected collected{summary.origin.shard, ticket, summary.origin.policy_version,
                            summary.steps, std::ssize(summary.episodes)};
  rollouts_.emplace(ticket, std::move(summary));
  Tell(collected);
  return ticket;
}

std::vector<RolloutSummary> TrainingLoop::TakeLearnedFrom() {
  std::vector<RolloutSummary> taken;
  for (const Ticket ticket : std::exchange(updating_, {})) {
    auto rollout = rollouts_.extract(ticket);
    DRAY_CHECK(!rollout.empty());
    taken.push_back(std::move(rollout.mapped()));
  }
  return taken;
}

}  // namespace dray
