#include "src/cluster/pending_calls.h"

#include <algorithm>
#include <utility>

namespace dray {

PendingCall& PendingCalls::Add(ClusterActor& actor, Cluster::ObjectPtr reply,
                               std::function<void(std::string)> done) {
  return calls_.emplace_back(
      PendingCall{&actor, actor.starts(), std::move(reply), std::move(done)});
}

void PendingCalls::Forget(const ClusterActor& actor) {
  std::erase_if(calls_, [&](const PendingCall& call) { return call.actor == &actor; });
}

bool PendingCalls::AwaitsHeartbeat(const ClusterActor& actor) const {
  return std::ranges::any_of(
      calls_, [&](const PendingCall& call) { return call.actor == &actor && call.heartbeat; });
}

std::vector<PendingCall> PendingCalls::Take(const std::function<bool(PendingCall&)>& which) {
  std::vector<PendingCall> taken;
  for (auto call = calls_.begin(); call != calls_.end();) {
    const auto here = call++;
    if (!which(*here)) continue;
    taken.push_back(std::move(*here));
    calls_.erase(here);
  }
  return taken;
}

std::vector<PendingCall> PendingCalls::TakeAnswered(double timeout_s) {
  std::vector<Cluster::ObjectPtr> replies;
  for (const PendingCall& call : calls_) replies.push_back(call.reply);
  const std::vector<bool> ready = cluster_.Wait(replies, timeout_s);
  auto next = ready.begin();
  return Take([&](PendingCall&) { return *next++; });
}

std::vector<PendingCall> PendingCalls::TakeWithoutSummary(double patience_s) {
  return Take([&](PendingCall& call) {
    if (call.result == nullptr || !cluster_.Wait({call.result}, 0)[0]) return false;
    // Its summary may be on the way.
    if (!call.result_seen) call.result_seen.emplace();
    return call.result_seen->seconds() >= patience_s;
  });
}

}  // namespace dray
