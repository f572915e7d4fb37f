#include "tests/loop/command_text.h"

#include "src/base/error.h"

namespace dray {
namespace {

std::string Text(const Collect& c) { return Cat("collect ", c.shard); }
std::string Text(const Update& c) {
  std::string text = "update";
  for (const Ticket ticket : c.tickets) text += Cat(" ", ticket);
  return text;
}
std::string Text(const Drop& c) { return Cat("drop ", c.ticket); }
std::string Text(const Respawn& c) { return Cat("respawn ", c.shard); }
std::string Text(const RestoreLearner&) { return "restore"; }
std::string Text(const Evaluate&) { return "evaluate"; }
std::string Text(const EmitReport&) { return "report"; }
std::string Text(const TakeCheckpoint&) { return "checkpoint"; }
std::string Text(const Finish&) { return "finish"; }

}  // namespace

std::string TextOf(const LoopCommand& command) {
  return std::visit([](const auto& c) { return Text(c); }, command);
}

std::string TextOf(const std::vector<LoopCommand>& commands) {
  std::string text;
  for (const LoopCommand& command : commands) text += (text.empty() ? "" : ", ") + TextOf(command);
  return text;
}

}  // namespace dray
