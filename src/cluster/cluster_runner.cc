#include "src/cluster/cluster_runner.h"

#include <algorithm>
#include <span>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/cluster/packed.h"
#include "src/cluster/remote_side_learner.h"
#include "src/cluster/role_settings.h"
#include "src/cluster/roles/histogram_text.h"

namespace dray {
namespace {

// Only what comes after a rollout or an update shorter than this is called early. It takes so
// little time that the way through the driver counts, and the calls behind an early one, such as
// heartbeats, wait for it.
constexpr double kShort_s = 1;

}  // namespace

ClusterRunner::ClusterRunner(Training& training, Cluster& cluster)
    : training_(training),
      cluster_(cluster),
      actors_(training.config(), training.plan(), training.spec().service_actors,
              training.first_replacement(), cluster),
      calls_(cluster),
      watch_(training.config().ray(), cluster, actors_, calls_),
      rollouts_(actors_.shards()),
      early_rollouts_(actors_.shards()),
      kept_learner_(training.config().ray().learner_copy_share()),
      signs_(actors_, training.folder().path() + "/heartbeats.txt"),
      alarm_(
          std::min(kStallS, training.config().ray().hang_timeout_s() / 2),
          [this] { return signs_.Latest(); },
          [&training](const std::string& line) { training.recorder().Say(line); }) {
  // The training has the side learner's thread, and so outlives it.
  training_.StartSideLearner(MakeSideLearner(
      training_.config(), training_.plan(), cluster_,
      [&state = training_.state()](const std::string& line) { state.OnOtherLost(line); }));
  const auto waiting = [this] {
    training_.recorder().Status("starting actors");
    signs_.Look();
  };
  LoadResumed(waiting);
  weights_ = learner().Call("publish", {});
  watch_.AwaitAll("start", waiting);
}

// --- Starting

void ClusterRunner::LoadResumed(const std::function<void()>& waiting) {
  auto& resumed = training_.resumed();
  if (!resumed) return;
  const auto nothing = [](const std::string&) {};
  ByteWriter least_version;
  least_version.Put<int64_t>(0);
  calls_.Add(learner(),
             learner().Call("load", {cluster_.Put(resumed->learner), least_version.Take()}),
             nothing);
  const RunPlan& plan = training_.plan();
  for (int i = 0; !resumed->shards.empty() && i < plan.actors(); ++i) {
    const std::span states(resumed->shards.begin() + plan.FirstShard(i),
                           resumed->shards.begin() + plan.FirstShard(i + 1));
    ClusterActor& actor = actors_.shard(i);
    calls_.Add(actor, actor.Call("load", {cluster_.Put(FromShards(packed(), states))}), nothing);
  }
  calls_.Add(learner(), learner().Call("export", {}),
             [this](const std::string& file) { training_.RestoreWeightsFile(file); });
  watch_.AwaitAll("resume from the checkpoint", waiting);
  SetKeptLearner(std::move(resumed->learner));
  resumed.reset();
}

// --- Commands

void ClusterRunner::Do(const Collect& command) {
  const size_t shard = command.shard;
  ClusterActor& actor = actors_.shard(shard);
  // Lost after this was decided; the coordinator knows, and its replacement is the next command.
  if (!actor.alive()) return;
  try {
    std::optional<CalledRollout> early = std::exchange(early_rollouts_.at(shard), std::nullopt);
    const bool serves = early && early->weights == weights_;
    const CalledRollout rollout =
        serves ? std::move(*early)
               : CallRollout(actor, training_.coordinator().progress(), weights_);
    actor.BeginWork("collect");
    rollouts_.at(shard) = rollout.batch;
    rolling_.Restart();
    PendingCall& call = calls_.Add(actor, actor.Call("summary", {rollout.header}),
                                   [this, shard, batch = rollout.batch](const std::string& reply) {
                                     OnCollected(shard, batch, reply);
                                   });
    call.result = rollout.batch;
    call.weights = weights_;
  } catch (const ActorLost& lost) {
    Lose(actor, lost.what());
  }
}

ClusterRunner::CalledRollout ClusterRunner::CallRollout(ClusterActor& actor, double progress,
                                                        ObjectPtr weights) {
  std::string header = CallHeaderBytes(next_call_++, progress, 0);
  ObjectPtr batch = actor.Call("collect", {header, weights, SideModel()});
  return {std::move(header), std::move(weights), std::move(batch)};
}

void ClusterRunner::CallRolloutsEarly() {
  // What a side learner will have published by then is not known yet.
  if (!coming_weights_ || std::max(last_rollout_s_, last_update_s_) > kShort_s ||
      training_.state().has_side_learner()) {
    return;
  }
  const std::optional<double> progress = training_.loop().coordinator().ForeseeRollouts();
  for (size_t i = 0; progress && i < actors_.shards(); ++i) {
    ClusterActor& actor = actors_.shard(i);
    if (early_rollouts_[i] || !actor.alive()) continue;
    try {
      early_rollouts_[i] = CallRollout(actor, *progress, coming_weights_);
    } catch (const ActorLost&) {
      // It is noticed, and met, when the rollout is due.
    }
  }
}

void ClusterRunner::OnCollected(size_t actor, ObjectPtr batch, const std::string& reply) {
  double busy_s = 0;
  std::vector<RolloutSummary> summaries;
  for (const std::string_view part : Parts(reply)) {
    RolloutSummary summary = RolloutSummary::FromBytes(part);
    summary.ExpectOf(training_.spec(), training_.plan().shards(), training_.plan().num_envs);
    busy_s = std::max(busy_s, summary.metrics.Get("time/shards_s"));
    if (summary.origin.policy_version == training_.coordinator().counters().policy_version) {
      summary.metrics.Record("time/weights_latency_ms",
                             1e3 * (summary.weights_loaded_unix_s - published_unix_s_));
    }
    summaries.push_back(std::move(summary));
  }
  actors_.shard(actor).EndWork(busy_s);
  last_rollout_s_ = rolling_.seconds();
  const int shard = static_cast<int>(actor);
  batches_.emplace(training_.loop().AddRollouts(shard, std::move(summaries)), std::move(batch));
}

std::vector<std::string_view> ClusterRunner::Parts(const std::string& reply) const {
  return OfShards(packed(), reply, "the answer of an actor with several shards");
}

ClusterRunner::CalledUpdate ClusterRunner::CallUpdate(double remaining,
                                                      std::vector<ObjectPtr> batches) {
  std::string header = CallHeaderBytes(next_call_++, 0, remaining);
  std::vector<Cluster::Argument> arguments = {header};
  arguments.insert(arguments.end(), batches.begin(), batches.end());
  ObjectPtr weights = learner().Call("update", arguments);
  return {std::move(header), std::move(batches), std::move(weights)};
}

void ClusterRunner::CallUpdateEarly() {
  if (early_update_ || last_rollout_s_ > kShort_s) return;
  const std::optional<double> remaining = training_.coordinator().ForeseenUpdate();
  if (!remaining || !learner().alive()) return;
  try {
    early_update_ = CallUpdate(*remaining, rollouts_);
  } catch (const ActorLost&) {
    // It is noticed, and met, when the update is due.
  }
}

void ClusterRunner::Do(const Update& command) {
  std::vector<ObjectPtr> batches;
  for (const Ticket ticket : command.tickets) {
    auto kept = batches_.extract(ticket);
    DRAY_CHECK(!kept.empty());
    batches.push_back(std::move(kept.mapped()));
  }
  std::ranges::fill(rollouts_, nullptr);
  // Lost after this was decided, as in Do(Collect).
  if (!learner().alive()) return;
  try {
    std::optional<CalledUpdate> early = std::exchange(early_update_, std::nullopt);
    DRAY_CHECK(!early || early->batches == batches);
    const CalledUpdate update = early ? std::move(*early) : CallUpdate(command.remaining, batches);
    learner().BeginWork("update");
    coming_weights_ = update.weights;
    // The batches stay in the store until this call is answered or given up.
    calls_
        .Add(learner(), learner().Call("summary", {update.header}),
             [this, update](const std::string& reply) { OnUpdated(update.weights, reply); })
        .result = update.weights;
  } catch (const ActorLost& lost) {
    Lose(learner(), lost.what());
  }
}

bool ClusterRunner::GiveUpEarlyUpdate() {
  const std::optional<CalledUpdate> update = std::exchange(early_update_, std::nullopt);
  // It fails if a batch did not arrive, or the learner is gone.
  return update && !WhyLost(*update->weights);
}

void ClusterRunner::GiveUpEarlyRollouts() {
  coming_weights_.reset();
  for (auto& rollout : early_rollouts_) rollout.reset();
}

void ClusterRunner::OnUpdated(ObjectPtr weights, const std::string& reply) {
  const UpdateReport report = UpdateReport::FromBytes(reply);
  const double busy_s = report.merge_s + report.learn_s;
  last_update_s_ = learner().working_for_s();
  training_.times().transfer_s += std::max(0.0, last_update_s_ - busy_s);
  learner().EndWork(busy_s);
  coming_weights_.reset();
  weights_ = std::move(weights);
  published_unix_s_ = report.published_unix_s;
  training_.OnUpdate(report);
  if (kept_learner_.ShouldAsk(clock_.seconds())) KeepLearner(report.version);
}

void ClusterRunner::KeepLearner(int64_t version) {
  ByteWriter of_version;
  of_version.Put(version);
  const LoopCounters& now = training_.coordinator().counters();
  const KeptLearner::State label{now.standing_updates(), now.batches_trained, ""};
  try {
    calls_.Add(learner(), learner().Call("snapshot", {of_version.Take()}),
               [this, label](std::string reply) {
                 // The next update may have been faster.
                 if (reply.empty()) return kept_learner_.GiveUp();
                 kept_learner_.OnAnswer(clock_.seconds(),
                                        {label.updates, label.batches, std::move(reply)});
               });
    kept_learner_.Asked(clock_.seconds());
  } catch (const ActorLost& lost) {
    Lose(learner(), lost.what());
  }
}

void ClusterRunner::SetKeptLearner(std::string state) {
  const LoopCounters& now = training_.coordinator().counters();
  kept_learner_.Set({now.standing_updates(), now.batches_trained, std::move(state)});
}

void ClusterRunner::Do(const Respawn& command) {
  const size_t shard = command.shard;
  ClusterActor& actor = actors_.shard(shard);
  actors_.ReplaceShard(shard);
  actor.BeginWork("start");
  calls_.Add(actor, actor.Call("heartbeat", {}), [this, &actor, command](const std::string& reply) {
    actor.EndWork(0);
    actor.OnHeartbeat(reply);
    Tell(ShardReady{command.shard});
  });
}

void ClusterRunner::Do(const RestoreLearner&) {
  actors_.ReplaceLearner();
  learner().BeginWork("start");
  kept_learner_.GiveUp();
  const KeptLearner::State& kept = kept_learner_.state();
  const int64_t undone = training_.coordinator().counters().standing_updates() - kept.updates;
  training_.recorder().Say(Cat(kept.bytes.empty()
                                   ? "No state of the learner was kept yet: it starts again"
                                   : "The learner continues from the newest state kept",
                               " (updates undone: ", undone, ")"));
  ByteWriter least_version;
  least_version.Put<int64_t>(training_.coordinator().counters().policy_version + 1);
  const LearnerRestored restored{kept.updates, kept.batches};
  calls_.Add(learner(), learner().Call("load", {cluster_.Put(kept.bytes), least_version.Take()}),
             [this, restored](const std::string&) {
               learner().EndWork(0);
               weights_ = learner().Call("publish", {});
               published_unix_s_ = UnixSeconds();
               Tell(restored);
             });
}

void ClusterRunner::Do(const Evaluate&) {
  evaluating_since_.Restart();
  evaluator().BeginWork("evaluate");
  calls_.Add(evaluator(), evaluator().Call("evaluate", {weights_, SideModel()}),
             [this](const std::string& reply) {
               evaluator().EndWork(evaluator().working_for_s());
               training_.times().evaluate_s += evaluating_since_.seconds();
               const auto report = EvaluationReport::FromBytes(reply);
               report.ExpectOf(training_.spec());
               training_.OnEvaluation(report);
             });
}

void ClusterRunner::Do(const EmitReport&) {
  RecordActors(/*whole_run=*/false);
  const Report report = training_.recorder().EmitReport();
  if (training_.config().ray().metrics()) cluster_.Publish(report.epoch, report.values);
}

void ClusterRunner::Do(const TakeCheckpoint&) {
  const auto saving = saving_ = std::make_shared<Saving>();
  saving->shards.resize(actors_.shards());
  saving->missing = actors_.shards() + 3;
  const auto ask = [&](ClusterActor& actor, const char* method, std::string& place) {
    actor.BeginWork(method);
    calls_.Add(actor, actor.Call(method, {}), [this, &actor, &place, saving](std::string reply) {
      actor.EndWork(actor.working_for_s());
      place = std::move(reply);
      OnSaved(saving);
    });
  };
  try {
    for (size_t i = 0; i < actors_.shards(); ++i) {
      ask(actors_.shard(i), "save", saving->shards[i]);
    }
    ask(learner(), "save", saving->checkpoint.learner);
    ask(learner(), "export", saving->torch_file);
    calls_.Add(learner(), weights_, [this, saving](std::string reply) {
      saving->checkpoint.weights = std::move(reply);
      OnSaved(saving);
    });
  } catch (const ActorLost&) {
    // The answers that were asked for before will not come either, and that is when it is noticed.
  }
}

void ClusterRunner::OnSaved(const std::shared_ptr<Saving>& saving) {
  if (--saving->missing > 0 || saving != saving_) return;  // waiting, or given up
  saving_.reset();
  for (const std::string& reply : saving->shards) {
    for (const std::string_view state : Parts(reply)) {
      saving->checkpoint.shards.emplace_back(state);
    }
  }
  SetKeptLearner(saving->checkpoint.learner);
  training_.SaveCheckpoint(std::move(saving->checkpoint), saving->torch_file);
  training_.times().checkpoint_s += saving->since.seconds();
}

Cluster::ObjectPtr ClusterRunner::SideModel() {
  const auto model = training_.state().side_model();
  if (model != side_model_bytes_) {
    side_model_bytes_ = model;
    side_model_ = cluster_.Put(*model);
  }
  return side_model_;
}

// --- The pump

void ClusterRunner::Run(const std::function<bool()>& interrupted) {
  training_.Start();
  while (!training_.loop().over()) {
    training_.OnTick(interrupted());
    // Reports come last: shards begin their next rollouts before one is written.
    int reports = 0;
    while (const auto command = training_.loop().NextCommand()) {
      if (std::holds_alternative<EmitReport>(*command)) {
        ++reports;
      } else {
        std::visit([this](const auto& c) { Do(c); }, *command);
      }
    }
    CallUpdateEarly();
    CallRolloutsEarly();
    for (; reports > 0; --reports) Do(EmitReport{});
    if (training_.loop().over()) break;
    training_.recorder().Status(PhaseNow());
    signs_.Look();
    WaitForAnswers(kRestS);
    Watch();
  }
  RecordActors(/*whole_run=*/true);
  for (const ClusterActor* oracle : actors_.oracles()) {
    training_.recorder().Say(HistogramText(oracle->name(), oracle->heartbeat()));
  }
  training_.Finish();
}

std::string ClusterRunner::PhaseNow() {
  if (saving_) return "checkpoint";
  if (evaluator().working()) return "evaluation";
  if (learner().working()) return "update";
  return "rollout";
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
  signs_.OnAnswer(*call.actor, call.heartbeat);
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

void ClusterRunner::Watch() {
  if (watch_.Due()) {
    CheckForLostResults();
    const auto restarted = [this](const ClusterActor& actor) {
      training_.recorder().Say(Cat(actor.name(), " was lost: the cluster has restarted it"));
      Tell(OtherLost{});
    };
    for (const auto& [actor, why] : watch_.AskForHeartbeats(restarted)) Lose(*actor, why);
  }
  for (const auto& [actor, why] : watch_.Hanging()) Lose(*actor, why);
}

void ClusterRunner::CheckForLostResults() {
  const double patience_s = std::max(1.0, 2 * training_.config().ray().heartbeat_interval_s());
  for (const PendingCall& call : calls_.TakeWithoutSummary(patience_s)) {
    const std::string why = WhyLost(*call.result).value_or("its result came without a summary");
    if (call.weights != nullptr && WhyLost(*call.weights)) {
      LoseRollout(call);
      continue;
    }
    if (call.actor != &learner()) {
      Lose(*call.actor, why);
      continue;
    }
    training_.recorder().Say(Cat("An update was lost: ", why));
    learner().EndWork(0);
    GiveUpEarlyRollouts();
    Tell(UpdateLost{});
  }
}

std::optional<std::string> ClusterRunner::WhyLost(const Cluster::Object& object) {
  try {
    cluster_.Fetch(object, kFetchTimeoutS);
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  }
}

void ClusterRunner::LoseRollout(const PendingCall& call) {
  training_.recorder().Say(
      Cat(call.actor->name(), " could not begin its rollout: the weights were lost"));
  call.actor->EndWork(0);
  if (call.weights == weights_ && learner().alive()) {
    // If the learner is gone as well, its next heartbeat tells.
    try {
      weights_ = learner().Call("publish", {});
    } catch (const ActorLost& lost) {
      Lose(learner(), lost.what());
    }
  }
  Tell(RolloutLost{ShardOf(*call.actor)});
  GiveUpEarlyUpdate();
}

int ClusterRunner::ShardOf(const ClusterActor& actor) {
  int shard = 0;
  while (&actors_.shard(shard) != &actor) ++shard;
  return shard;
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
  training_.recorder().Say(Cat(actor.name(), " was lost (", why, "): replacing it"));
  saving_.reset();
  if (&actor == &learner()) {
    early_update_.reset();
    GiveUpEarlyRollouts();
    return Tell(LearnerLost{});
  }
  if (&actor == &evaluator()) {
    Tell(OtherLost{});
    const bool evaluating = actor.working();
    actors_.ReplaceEvaluator();
    if (evaluating) Do(Evaluate{});
    return;
  }
  const int shard = ShardOf(actor);
  early_rollouts_.at(shard).reset();
  Tell(ShardLost{shard});
  if (GiveUpEarlyUpdate()) Lose(learner(), "it has learned from a rollout that counts as lost");
}

void ClusterRunner::RecordActors(bool whole_run) {
  for (ClusterActor* actor : actors_.all()) {
    training_.recorder().OnActor(whole_run ? actor->total() : actor->TakeAccount());
  }
}

}  // namespace dray
