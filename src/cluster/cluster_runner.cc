#include "src/cluster/cluster_runner.h"

#include <algorithm>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/cluster/remote_side_learner.h"
#include "src/cluster/role_settings.h"
#include "src/cluster/roles/histogram_text.h"
#include "src/envs/registry.h"

namespace dray {
namespace {

// Answers are small and ready when they are fetched.
constexpr double kFetchTimeoutS = 60;
// How long the pump rests at most before it looks whether the user wants to stop.
constexpr double kRestS = 0.2;

std::string Orders(int64_t call, double progress, double remaining) {
  CallOrders orders;
  orders.set_call(call);
  orders.set_progress(progress);
  orders.set_remaining(remaining);
  return orders.SerializeAsString();
}

}  // namespace

ClusterRunner::ClusterRunner(Training& training, Cluster& cluster)
    : training_(training),
      cluster_(cluster),
      actors_(training.config(), training.plan(), training.spec().oracle_actors,
              training.first_replacement(), cluster),
      calls_(cluster) {
  StartSideLearner();
  LoadResumed();
  weights_ = learner().Call("publish", {});
  AwaitAll("start");
}

// --- Starting
// ---------------------------------------------------------------------------------------

void ClusterRunner::StartSideLearner() {
  auto local = MakeSideLearner(training_.config());
  if (!local) return;
  if (training_.config().ray().embedder() == RayConfig::ACTOR) {
    RoleSettings settings = SettingsOf(training_.config(), training_.plan());
    settings.set_name("embedder");
    Cluster::Request request = ActorRequest("embedder", "embedder");
    request.settings = settings.SerializeAsString();
    local = std::make_unique<RemoteSideLearner>(cluster_, request, *local,
                                                training_.config().ray().max_restarts(),
                                                [this](const std::string& line) {
                                                  training_.SayLater(line);
                                                  ++side_restarts_;
                                                });
  }
  side_ = std::make_unique<SideThread>(std::move(local));
}

void ClusterRunner::LoadResumed() {
  auto& resumed = training_.resumed();
  if (!resumed) return;
  const auto nothing = [](const std::string&) {};
  ByteWriter least_version;
  least_version.Put<int64_t>(0);
  calls_.Add(learner(),
             learner().Call("load", {cluster_.Put(resumed->learner), least_version.Take()}),
             nothing);
  if (side_) side_->Load(resumed->side_learner);
  for (size_t i = 0; i < resumed->shards.size(); ++i) {
    ClusterActor& shard = actors_.shard(i);
    calls_.Add(shard, shard.Call("load", {cluster_.Put(resumed->shards[i])}), nothing);
  }
  AwaitAll("go on from the checkpoint");
  resumed.reset();
}

void ClusterRunner::AwaitAll(const std::string& what) {
  for (ClusterActor* actor : actors_.all()) {
    calls_.Add(*actor, actor->Call("heartbeat", {}),
               [actor](const std::string& reply) { actor->OnHeartbeat(reply); });
  }
  const double limit_s = training_.config().ray().start_timeout_s();
  const Stopwatch waited;
  while (!calls_.empty()) {
    training_.Status("starting actors");
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

// --- Commands
// ---------------------------------------------------------------------------------------

void ClusterRunner::Carry(const Collect& command) {
  const auto shard = static_cast<size_t>(command.shard);
  ClusterActor& actor = actors_.shard(shard);
  const std::string orders = Orders(next_call_++, training_.loop().progress(), 0);
  try {
    ObjectPtr batch = actor.Call("collect", {orders, weights_, Learned()});
    actor.BeginWork();
    calls_
        .Add(actor, actor.Call("summary", {orders}),
             [this, shard, batch](const std::string& reply) { OnCollected(shard, batch, reply); })
        .result = batch;
  } catch (const ActorLost& lost) {
    Lose(actor, lost.what());
  }
}

void ClusterRunner::OnCollected(size_t shard, ObjectPtr batch, const std::string& reply) {
  RolloutSummary summary = RolloutSummary::FromBytes(reply);
  actors_.shard(shard).EndWork(summary.origin.rollout_s);
  if (summary.origin.policy_version == training_.loop().counters().policy_version) {
    training_.OnWeightsLoaded(summary.origin.weights_loaded_unix_s - published_unix_s_);
  }
  const Ticket ticket = next_ticket_++;
  const Collected collected{static_cast<int>(shard), ticket, summary.origin.policy_version,
                            summary.steps, static_cast<int64_t>(summary.news.episodes.size())};
  batches_.emplace(ticket, KeptBatch{std::move(batch), std::move(summary)});
  Tell(collected);
}

void ClusterRunner::Carry(const Update& command) {
  const std::string orders = Orders(next_call_++, 0, command.remaining);
  std::vector<Cluster::Argument> arguments = {orders};
  for (const Ticket ticket : command.tickets) arguments.push_back(batches_.at(ticket).batch);
  feeding_ = command.tickets;
  try {
    ObjectPtr weights = learner().Call("update", arguments);
    learner().BeginWork();
    calls_
        .Add(learner(), learner().Call("summary", {orders}),
             [this, weights](const std::string& reply) { OnUpdated(weights, reply); })
        .result = weights;
  } catch (const ActorLost& lost) {
    Lose(learner(), lost.what());
  }
}

void ClusterRunner::OnUpdated(ObjectPtr weights, const std::string& reply) {
  ByteReader in(reply, "the summary of an update");
  const auto report = in.Get<UpdateReport>();
  const double busy_s = report.join_s + report.learn_s;
  training_.times().transfer_s += report.join_s + std::max(0.0, learner().working_for_s() - busy_s);
  training_.times().learn_s += report.learn_s;
  learner().EndWork(busy_s);
  for (const Ticket ticket : std::exchange(feeding_, {})) {
    const auto kept = batches_.extract(ticket);
    DRAY_CHECK(!kept.empty());
    training_.OnBatch(kept.mapped().summary);
    if (side_) side_->Add(kept.mapped().summary.news.observed);
  }
  weights_ = std::move(weights);
  published_unix_s_ = report.published_unix_s;
  training_.OnUpdate(report);
  Tell(Updated{report.version});
  if (!side_) return;
  if (training_.SideUpdateDue(side_->update_epochs())) side_->Update();
  for (const std::string& line : side_->TakeLines()) training_.Say(line);
}

void ClusterRunner::Carry(const Respawn& command) {
  const auto shard = static_cast<size_t>(command.shard);
  ClusterActor& actor = actors_.shard(shard);
  actors_.ReplaceShard(shard);
  actor.BeginWork();
  calls_.Add(actor, actor.Call("heartbeat", {}), [this, &actor, command](const std::string& reply) {
    actor.EndWork(0);
    actor.OnHeartbeat(reply);
    Tell(ShardReady{command.shard});
  });
}

void ClusterRunner::Carry(const RestoreLearner&) {
  actors_.ReplaceLearner();
  learner().BeginWork();
  std::string state;
  if (const auto checkpoint = training_.NewestCheckpoint()) {
    training_.Say(Cat("The learner goes on from the checkpoint of epoch ", checkpoint->epoch));
    state = checkpoint->learner;
  } else {
    training_.Say("There is no checkpoint yet: the learner begins anew");
  }
  ByteWriter least_version;
  least_version.Put<int64_t>(training_.loop().counters().policy_version + 1);
  calls_.Add(learner(), learner().Call("load", {cluster_.Put(state), least_version.Take()}),
             [this](const std::string&) {
               learner().EndWork(0);
               weights_ = learner().Call("publish", {});
               published_unix_s_ = UnixSeconds();
               Tell(LearnerRestored{});
             });
}

void ClusterRunner::Carry(const Evaluate&) {
  evaluating_since_.Restart();
  evaluator().BeginWork();
  calls_.Add(evaluator(), evaluator().Call("evaluate", {weights_, Learned()}),
             [this](const std::string& reply) {
               evaluator().EndWork(evaluator().working_for_s());
               training_.times().evaluate_s += evaluating_since_.seconds();
               training_.OnEvaluation(EvaluationReport::FromBytes(reply));
               Tell(Evaluated{});
             });
}

void ClusterRunner::Carry(const EmitReport&) {
  RecordActors(/*whole_run=*/false);
  const Report report = training_.EmitReport();
  if (training_.config().ray().metrics()) cluster_.Publish(report.epoch, report.values);
}

void ClusterRunner::Carry(const TakeCheckpoint&) {
  saving_since_.Restart();
  saving_.emplace();
  saving_->shards.resize(actors_.shards());
  saves_missing_ = actors_.shards() + 3;
  const auto ask = [this](ClusterActor& actor, const std::string& method, auto member) {
    actor.BeginWork();
    calls_.Add(actor, actor.Call(method, {}), [this, &actor, member](std::string reply) {
      actor.EndWork(actor.working_for_s());
      OnSaved([&](Training::RoleStates& states) { member(states) = std::move(reply); });
    });
  };
  try {
    for (size_t i = 0; i < actors_.shards(); ++i) {
      ask(actors_.shard(i), "save", [i](auto& states) -> std::string& { return states.shards[i]; });
    }
    ask(learner(), "save", [](auto& states) -> std::string& { return states.learner; });
    ask(learner(), "export", [](auto& states) -> std::string& { return states.torch_file; });
    calls_.Add(learner(), weights_, [this](std::string reply) {
      OnSaved([&](Training::RoleStates& states) { states.weights = std::move(reply); });
    });
  } catch (const ActorLost&) {
    // The answers that were asked for before will not come either, and that is when it is noticed.
  }
}

void ClusterRunner::OnSaved(const std::function<void(Training::RoleStates&)>& keep) {
  if (!saving_) return;  // given up
  keep(*saving_);
  if (--saves_missing_ > 0) return;
  if (side_) {
    saving_->side_learner = side_->Save();
    saving_->learned = *side_->published();
  }
  training_.SaveCheckpoint(*std::exchange(saving_, std::nullopt));
  training_.times().checkpoint_s += saving_since_.seconds();
  Tell(Checkpointed{});
}

Cluster::ObjectPtr ClusterRunner::Learned() {
  const auto published = side_ ? side_->published() : std::make_shared<const std::string>();
  if (learned_ == nullptr || (side_ && published != learned_bytes_)) {
    learned_bytes_ = published;
    learned_ = cluster_.Put(*published);
  }
  return learned_;
}

// --- The pump
// ---------------------------------------------------------------------------------------

void ClusterRunner::Run(const std::function<bool()>& interrupted) {
  training_.StartClock();
  std::ranges::copy(training_.loop().Start(), std::back_inserter(commands_));
  while (!training_.loop().finished() || !commands_.empty()) {
    if (const std::string why = training_.WhyStop(interrupted()); !why.empty()) {
      training_.Say(why);
      Tell(StopRequested{});
    }
    training_.OnTick();
    while (!commands_.empty()) {
      const LoopCommand command = std::move(commands_.front());
      commands_.pop_front();
      std::visit([this](const auto& c) { Carry(c); }, command);
    }
    if (training_.loop().finished()) break;
    training_.Status(PhaseNow());
    WaitForAnswers(kRestS);
    for (int lost = side_restarts_.exchange(0); lost > 0; --lost) Tell(OtherLost{});
    AskForHeartbeats();
    CheckForHangs();
  }
  RecordActors(/*whole_run=*/true);
  for (const ClusterActor* oracle : actors_.oracles()) {
    training_.Say(HistogramText(oracle->name(), oracle->heartbeat()));
  }
  training_.Finish();
}

std::string ClusterRunner::PhaseNow() {
  if (saving_) return "checkpoint";
  if (evaluator().working()) return "evaluation";
  if (learner().working()) return "update";
  return "rollout";
}

void ClusterRunner::Tell(const LoopEvent& event) {
  std::ranges::copy(training_.loop().On(event), std::back_inserter(commands_));
}

void ClusterRunner::WaitForAnswers(double timeout_s) {
  const bool rolling = PhaseNow() == "rollout";
  double waited_s = 0;
  std::vector<PendingCall> answered;
  {
    const PhaseTimer timer(waited_s);
    answered = calls_.TakeAnswered(timeout_s);
  }
  if (rolling) training_.times().rollout_s += waited_s;
  for (const PendingCall& call : answered) Answer(call);
}

void ClusterRunner::Answer(const PendingCall& call) {
  // Another answer may have told that the actor is lost.
  if (!call.current()) return;
  std::string reply;
  try {
    reply = cluster_.Fetch(*call.reply, kFetchTimeoutS);
  } catch (const ActorLost& lost) {
    return Lose(*call.actor, lost.what());
  } catch (const Error& error) {
    throw Failure(call.actor->name(), ": ", error.what());
  }
  call.done(std::move(reply));
}

void ClusterRunner::AskForHeartbeats() {
  if (since_heartbeat_.seconds() < training_.config().ray().heartbeat_interval_s()) return;
  since_heartbeat_.Restart();
  CheckForLostResults();
  for (ClusterActor* actor : actors_.all()) {
    // One at a time; who does not answer is still.
    if (!actor->alive() || calls_.AwaitsHeartbeat(*actor)) continue;
    try {
      calls_
          .Add(*actor, actor->Call("heartbeat", {}),
               [this, actor](const std::string& reply) {
                 if (!actor->OnHeartbeat(reply)) return;
                 training_.Say(Cat(actor->name(), " was lost: the cluster has restarted it"));
                 Tell(OtherLost{});
               })
          .heartbeat = true;
    } catch (const ActorLost& lost) {
      Lose(*actor, lost.what());
    }
  }
}

void ClusterRunner::CheckForLostResults() {
  const double patience_s = std::max(1.0, 2 * training_.config().ray().heartbeat_interval_s());
  for (const PendingCall& call : calls_.TakeWithoutSummary(patience_s)) {
    std::string why = "its result came without a summary";
    try {
      cluster_.Fetch(*call.result, kFetchTimeoutS);
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (call.actor != &learner()) {
      Lose(*call.actor, why);
      continue;
    }
    training_.Say(Cat("An update was lost: ", why));
    learner().EndWork(0);
    ForgetFed();
    Tell(UpdateLost{});
  }
}

void ClusterRunner::CheckForHangs() {
  const RayConfig& ray = training_.config().ray();
  for (ClusterActor* actor : actors_.all()) {
    const double limit_s = actor->greeted() ? ray.hang_timeout_s() : ray.start_timeout_s();
    if (!actor->working() || actor->still_for_s() < limit_s) continue;
    Lose(*actor,
         Cat("it has not moved for ", limit_s, " s, in phase '", actor->heartbeat().phase(), "'"));
  }
}

void ClusterRunner::ForgetFed() {
  for (const Ticket ticket : std::exchange(feeding_, {})) batches_.erase(ticket);
}

void ClusterRunner::Lose(ClusterActor& actor, const std::string& why) {
  calls_.Forget(actor);
  // The cluster restarts an oracle; the heartbeat that finds it again counts that.
  if (std::ranges::count(actors_.oracles(), &actor) > 0) return;
  actor.End();
  const int most = training_.config().ray().max_restarts();
  if (actor.starts() > most) {
    throw Failure("actor ", actor.name(), " was lost ", actor.starts(), " times (", why,
                  "): more than ray.max_restarts allows");
  }
  training_.Say(Cat(actor.name(), " was lost (", why, "): replacing it"));
  saving_.reset();
  if (&actor == &learner()) {
    ForgetFed();
    return Tell(LearnerLost{});
  }
  if (&actor == &evaluator()) {
    Tell(OtherLost{});
    const bool evaluating = actor.working();
    actors_.ReplaceEvaluator();
    if (evaluating) Carry(Evaluate{});
    return;
  }
  int shard = 0;
  while (&actors_.shard(static_cast<size_t>(shard)) != &actor) ++shard;
  Tell(ShardLost{shard});
}

void ClusterRunner::RecordActors(bool whole_run) {
  for (ClusterActor* actor : actors_.all()) {
    const ClusterActor::Account account = whole_run ? actor->total() : actor->TakeAccount();
    training_.OnActor({actor->name(), account.times.busy_s, account.waiting_s,
                       account.times.transfer_s, actor->heartbeat().memory_mb()});
  }
}

}  // namespace dray
