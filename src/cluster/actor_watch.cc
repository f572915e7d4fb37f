#include "src/cluster/actor_watch.h"

#include "src/base/error.h"

namespace dray {

void ActorWatch::AwaitAll(const std::string& what, const std::function<void()>& waiting) {
  for (ClusterActor* actor : actors_.all()) {
    calls_.Add(*actor, actor->Call("heartbeat", {}),
               [actor](const std::string& reply) { actor->OnHeartbeat(reply); });
  }
  const double limit_s = config_.start_timeout_s();
  const Stopwatch waited;
  while (!calls_.empty()) {
    waiting();
    if (waited.seconds() > limit_s) {
      throw Failure("the cluster at ", cluster_.info().address, " did not ", what, " actor ",
                    calls_.front().actor->name(), " within ", limit_s,
                    " s (ray.start_timeout_s): look at it with `ray list actors`");
    }
    for (const PendingCall& call : calls_.TakeAnswered(kRestS)) {
      try {
        call.done(cluster_.Fetch(*call.reply, kFetchTimeoutS));
      } catch (const ActorLost& lost) {
        throw Failure("actor ", call.actor->name(), " could not ", what, ": ", lost.what());
      }
    }
  }
}

std::vector<ActorWatch::Loss> ActorWatch::AskForHeartbeats(
    const std::function<void(ClusterActor&)>& restarted) {
  since_round_.Restart();
  std::vector<Loss> losses;
  for (ClusterActor* actor : actors_.all()) {
    // One at a time; who does not answer is still.
    if (!actor->alive() || calls_.AwaitsHeartbeat(*actor)) continue;
    try {
      calls_
          .Add(*actor, actor->Call("heartbeat", {}),
               [actor, restarted](const std::string& reply) {
                 if (actor->OnHeartbeat(reply)) restarted(*actor);
               })
          .heartbeat = true;
    } catch (const ActorLost& lost) {
      losses.push_back({actor, lost.what()});
    }
  }
  return losses;
}

std::vector<ActorWatch::Loss> ActorWatch::Hanging() const {
  std::vector<Loss> losses;
  for (ClusterActor* actor : actors_.all()) {
    const double limit_s = actor->greeted() ? config_.hang_timeout_s() : config_.start_timeout_s();
    if (!actor->working() || actor->still_for_s() < limit_s) continue;
    losses.push_back({actor, Cat("it has not moved for ", limit_s, " s, in phase '",
                                 actor->heartbeat().phase(), "'")});
  }
  return losses;
}

}  // namespace dray
