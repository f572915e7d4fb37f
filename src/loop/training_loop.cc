#include "src/loop/training_loop.h"

#include <algorithm>
#include <iterator>
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

Ticket TrainingLoop::AddRollouts(int shard, std::vector<RolloutSummary> summaries) {
  const Ticket ticket = next_ticket_++;
  Collected collected{shard, ticket, summaries.at(0).origin.policy_version, 0, 0};
  for (const RolloutSummary& summary : summaries) {
    collected.steps += summary.steps;
    collected.episodes += std::ssize(summary.episodes);
  }
  rollouts_.emplace(ticket, std::move(summaries));
  Tell(collected);
  return ticket;
}

std::vector<RolloutSummary> TrainingLoop::TakeLearnedFrom() {
  std::vector<RolloutSummary> taken;
  for (const Ticket ticket : std::exchange(updating_, {})) {
    auto rollout = rollouts_.extract(ticket);
    DRAY_CHECK(!rollout.empty());
    std::ranges::move(rollout.mapped(), std::back_inserter(taken));
  }
  return taken;
}

}  // namespace dray
