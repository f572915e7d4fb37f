#include "src/cluster/cluster_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/cluster/remote_side_learner.h"
#include "src/roles/histogram_text.h"
#include "src/roles/parse.h"

namespace dray {
namespace {

// Answers are small and ready when they are fetched.
constexpr double kFetchTimeoutS = 60;
// How long the pump rests at most before it looks whether the user wants to stop.
constexpr double kRestS = 0.2;
// A long call, its summary and a heartbeat at a time.
constexpr int kConcurrency = 3;

std::string Indexed(const std::string& name, size_t index) {
  return Cat(name, "-", index < 10 ? "0" : "", index);
}

std::string Orders(int64_t call, double progress, double remaining) {
  CallOrders orders;
  orders.set_call(call);
  orders.set_progress(progress);
  orders.set_remaining(remaining);
  return orders.SerializeAsString();
}

double UnixSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

ClusterRunner::ClusterRunner(Training& training, Cluster& cluster)
    : training_(training),
      cluster_(cluster),
      layout_(LayOut(training.config(), training.plan(), training.spec().oracle_actors,
                     cluster.info())) {
  StartActors();
  StartSideLearner();
  LoadResumed();
  weights_ = learner_->Call("publish", {});
  AwaitAll("start");
}

ClusterRunner::~ClusterRunner() {
  pending_.clear();
  side_.reset();
  for (const auto& shard : shards_) shard->End();
  for (const auto& oracle : oracles_) oracle->End();
  if (learner_) learner_->End();
  if (evaluator_) evaluator_->End();
}

// --- Starting
// ---------------------------------------------------------------------------------------

Cluster::Request ClusterRunner::Request(const std::string& kind, const std::string& name) const {
  Cluster::Request request;
  request.kind = kind;
  request.name = name;
  request.concurrency = kConcurrency;
  return request;
}

RoleSettings ClusterRunner::CommonSettings() const {
  RoleSettings settings;
  *settings.mutable_config() = training_.config();
  settings.set_oracle_callers(static_cast<int>(training_.plan().shard_sizes.size()));
  return settings;
}

RoleSettings ClusterRunner::ShardSettings(size_t shard) const {
  RoleSettings settings = CommonSettings();
  settings.set_shard(static_cast<int>(shard));
  settings.set_first_env(first_envs_[shard]);
  settings.set_envs(training_.plan().shard_sizes[shard]);
  settings.set_rollout_steps(training_.plan().rollout_steps);
  settings.set_replacement(replacements_before_ + shards_[shard]->starts());
  return settings;
}

void ClusterRunner::StartActors() {
  const Config& config = training_.config();
  const std::vector<int>& sizes = training_.plan().shard_sizes;
  training_.Status("starting actors");
  const bool reserved = config.ray().placement() != RayConfig::ANYWHERE;
  if (reserved) {
    cluster_.Reserve(RayConfig::Placement_Name(config.ray().placement()),
                     layout_.Bundles(static_cast<int>(sizes.size())),
                     config.ray().start_timeout_s());
  }
  const RoleSettings common = CommonSettings();
  std::vector<std::string> oracle_names;
  for (int i = 0; i < layout_.oracles; ++i) {
    Cluster::Request request = Request("oracle", Indexed("oracle", static_cast<size_t>(i)));
    request.gpus = layout_.oracle_gpus;
    request.environment = ClusterLayout::VisibleGpu(1 + i, cluster_.info());
    // It remembers nothing: the cluster restarts it, and shards ask again.
    request.max_restarts = -1;
    request.concurrency = static_cast<int>(sizes.size()) + kConcurrency;
    if (reserved) request.bundle = static_cast<int>(sizes.size()) + 1 + i;
    oracle_names.push_back(request.name);
    oracles_.push_back(std::make_unique<ClusterActor>(cluster_, request));
    oracles_.back()->Start(common);
  }
  int first_env = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    first_envs_.push_back(first_env);
    first_env += sizes[i];
    Cluster::Request request = Request("env_shard", Indexed("shard", i));
    request.cpus = layout_.shard_cpus;
    request.oracles = oracle_names;
    if (reserved) request.bundle = static_cast<int>(i);
    shards_.push_back(std::make_unique<ClusterActor>(cluster_, request));
  }
  auto& resumed = training_.resumed();
  // Another layout than the checkpoint's: environments begin new episodes, with chance of their own.
  if (resumed && resumed->shards.size() != sizes.size()) {
    replacements_before_ = static_cast<int>(resumed->epoch) + 1;
  }
  for (size_t i = 0; i < sizes.size(); ++i) shards_[i]->Start(ShardSettings(i));
  Cluster::Request request = Request("learner", "learner");
  request.cpus = layout_.learner_cpus;
  request.gpus = layout_.learner_gpus;
  request.environment = ClusterLayout::VisibleGpu(0, cluster_.info());
  if (reserved) request.bundle = static_cast<int>(sizes.size());
  learner_ = std::make_unique<ClusterActor>(cluster_, request);
  learner_->Start(common);
  Cluster::Request evaluator = Request("evaluator", "evaluator");
  evaluator.oracles = oracle_names;
  evaluator_ = std::make_unique<ClusterActor>(cluster_, evaluator);
  evaluator_->Start(common);
}

void ClusterRunner::StartSideLearner() {
  auto local = MakeSideLearner(training_.config());
  if (!local) return;
  if (training_.config().ray().embedder() == RayConfig::ACTOR) {
    RoleSettings settings = CommonSettings();
    settings.set_name("embedder");
    Cluster::Request request = Request("embedder", "embedder");
    request.settings = settings.SerializeAsString();
    local = std::make_unique<RemoteSideLearner>(
        cluster_, request, *local, training_.config().ray().max_restarts(),
        [this](const std::string& line) {
          training_.SayLater(line);
          ++side_restarts_;
        });
  }
  side_ = std::make_unique<SideThread>(std::move(local));
}

void ClusterRunner::LoadResumed() {
  auto& resumed = training_.resumed();
  const auto nothing = [](const std::string&) {};
  if (resumed) {
    ByteWriter least_version;
    least_version.Put<int64_t>(0);
    Expect(*learner_, learner_->Call("load", {cluster_.Put(resumed->learner), least_version.Take()}),
           nothing);
    if (side_) side_->Load(resumed->side_learner);
    if (resumed->shards.size() == shards_.size()) {
      for (size_t i = 0; i < shards_.size(); ++i) {
        Expect(*shards_[i], shards_[i]->Call("load", {cluster_.Put(resumed->shards[i])}), nothing);
      }
    } else {
      training_.Say(Cat("The checkpoint has ", resumed->shards.size(), " shards, this run ",
                        shards_.size(), ": environments begin new episodes"));
    }
    AwaitAll("go on from the checkpoint");
    resumed.reset();
  }
}

void ClusterRunner::AwaitAll(const std::string& what) {
  const auto greet = [&](ClusterActor& actor) {
    Expect(actor, actor.Call("heartbeat", {}),
           [&actor](const std::string& reply) { actor.OnHeartbeat(reply); });
  };
  for (const auto& shard : shards_) greet(*shard);
  for (const auto& oracle : oracles_) greet(*oracle);
  greet(*learner_);
  greet(*evaluator_);
  const Stopwatch waited;
  while (!pending_.empty()) {
    training_.Status("starting actors");
    const double limit_s = training_.config().ray().start_timeout_s();
    if (waited.seconds() > limit_s) {
      throw Failure("the cluster at ", cluster_.info().address, " did not ", what, " actor ",
                    pending_.front().actor->name(), " within ", limit_s,
                    " s (ray.start_timeout_s): look at it with `ray list actors`");
    }
    std::vector<ObjectPtr> replies;
    for (const Pending& pending : pending_) replies.push_back(pending.reply);
    const std::vector<bool> ready = cluster_.Wait(replies, kRestS);
    auto pending = pending_.begin();
    for (size_t i = 0; i < ready.size(); ++i) {
      const auto here = pending++;
      if (!ready[i]) continue;
      try {
        here->done(cluster_.Fetch(*here->reply, kFetchTimeoutS));
      } catch (const ActorLost& lost) {
        throw Failure("actor ", here->actor->name(), " could not ", what, ": ", lost.what());
      }
      pending_.erase(here);
    }
  }
}

// --- Commands
// ---------------------------------------------------------------------------------------

void ClusterRunner::Carry(const Collect& command) {
  const auto shard = static_cast<size_t>(command.shard);
  ClusterActor& actor = *shards_[shard];
  const std::string orders = Orders(next_call_++, training_.loop().progress(), 0);
  try {
    ObjectPtr batch = actor.Call("collect", {orders, weights_, Learned()});
    actor.BeginWork();
    Expect(actor, actor.Call("summary", {orders}), [this, shard, batch](const std::string& reply) {
      OnCollected(shard, batch, reply);
    }).result = batch;
  } catch (const ActorLost& lost) {
    Lose(actor, lost.what());
  }
}

void ClusterRunner::OnCollected(size_t shard, ObjectPtr batch, const std::string& reply) {
  RolloutSummary summary = RolloutSummary::FromBytes(reply);
  shards_[shard]->EndWork(summary.origin.rollout_s);
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
    ObjectPtr weights = learner_->Call("update", arguments);
    learner_->BeginWork();
    Expect(*learner_, learner_->Call("summary", {orders}),
           [this, weights](const std::string& reply) { OnUpdated(weights, reply); })
        .result = weights;
  } catch (const ActorLost& lost) {
    Lose(*learner_, lost.what());
  }
}

void ClusterRunner::OnUpdated(ObjectPtr weights, const std::string& reply) {
  ByteReader in(reply, "the summary of an update");
  const auto report = in.Get<UpdateReport>();
  const double busy_s = report.join_s + report.learn_s;
  training_.times().transfer_s += report.join_s + std::max(0.0, learner_->working_for_s() - busy_s);
  training_.times().learn_s += report.learn_s;
  learner_->EndWork(busy_s);
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
  ClusterActor& actor = *shards_[shard];
  actor.Start(ShardSettings(shard));
  actor.BeginWork();
  Expect(actor, actor.Call("heartbeat", {}), [this, &actor, command](const std::string& reply) {
    actor.EndWork(0);
    actor.OnHeartbeat(reply);
    Tell(ShardReady{command.shard});
  });
}

void ClusterRunner::Carry(const RestoreLearner&) {
  learner_->Start(CommonSettings());
  learner_->BeginWork();
  std::string state;
  if (const auto checkpoint = training_.NewestCheckpoint()) {
    training_.Say(Cat("The learner goes on from the checkpoint of epoch ", checkpoint->epoch));
    state = checkpoint->learner;
  } else {
    training_.Say("There is no checkpoint yet: the learner begins anew");
  }
  ByteWriter least_version;
  least_version.Put<int64_t>(training_.loop().counters().policy_version + 1);
  Expect(*learner_, learner_->Call("load", {cluster_.Put(state), least_version.Take()}),
         [this](const std::string&) {
           learner_->EndWork(0);
           weights_ = learner_->Call("publish", {});
           published_unix_s_ = UnixSeconds();
           Tell(LearnerRestored{});
         });
}

void ClusterRunner::Carry(const Evaluate&) {
  evaluating_since_.Restart();
  evaluator_->BeginWork();
  Expect(*evaluator_, evaluator_->Call("evaluate", {weights_, Learned()}),
         [this](const std::string& reply) {
           evaluator_->EndWork(evaluator_->working_for_s());
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
  saving_->shards.resize(shards_.size());
  saves_missing_ = shards_.size() + 3;
  const auto ask = [this](ClusterActor& actor, const std::string& method, auto member) {
    actor.BeginWork();
    Expect(actor, actor.Call(method, {}), [this, &actor, member](std::string reply) {
      actor.EndWork(actor.working_for_s());
      OnSaved([&](Training::RoleStates& states) { member(states) = std::move(reply); });
    });
  };
  try {
    for (size_t i = 0; i < shards_.size(); ++i) {
      ask(*shards_[i], "save", [i](auto& states) -> std::string& { return states.shards[i]; });
    }
    ask(*learner_, "save", [](auto& states) -> std::string& { return states.learner; });
    ask(*learner_, "export", [](auto& states) -> std::string& { return states.torch_file; });
    Expect(*learner_, weights_, [this](std::string reply) {
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
  for (const auto& oracle : oracles_) {
    training_.Say(HistogramText(oracle->name(), oracle->heartbeat()));
  }
  training_.Finish();
}

std::string ClusterRunner::PhaseNow() const {
  if (saving_) return "checkpoint";
  if (evaluator_->working()) return "evaluation";
  if (learner_->working()) return "update";
  return "rollout";
}

void ClusterRunner::Tell(const LoopEvent& event) {
  std::ranges::copy(training_.loop().On(event), std::back_inserter(commands_));
}

ClusterRunner::Pending& ClusterRunner::Expect(ClusterActor& actor, ObjectPtr reply,
                                              std::function<void(std::string)> done) {
  pending_.push_back({&actor, actor.starts(), std::move(reply), std::move(done)});
  return pending_.back();
}

void ClusterRunner::WaitForAnswers(double timeout_s) {
  const bool rolling = PhaseNow() == "rollout";
  std::vector<ObjectPtr> replies;
  for (const Pending& pending : pending_) replies.push_back(pending.reply);
  std::vector<bool> ready;
  {
    double waited_s = 0;
    {
      const PhaseTimer timer(waited_s);
      ready = cluster_.Wait(replies, timeout_s);
    }
    if (rolling) training_.times().rollout_s += waited_s;
  }
  // Answers in the order of the calls. What is answered first may take others off the list.
  std::vector<Pending> answered;
  auto pending = pending_.begin();
  for (const bool is_ready : ready) {
    const auto here = pending++;
    if (!is_ready) continue;
    answered.push_back(std::move(*here));
    pending_.erase(here);
  }
  for (const Pending& one : answered) Answer(one);
}

void ClusterRunner::Answer(const Pending& pending) {
  // Another answer may have told that the actor is lost.
  if (!pending.actor->alive() || pending.actor->starts() != pending.starts) return;
  std::string reply;
  try {
    reply = cluster_.Fetch(*pending.reply, kFetchTimeoutS);
  } catch (const ActorLost& lost) {
    return Lose(*pending.actor, lost.what());
  } catch (const Error& error) {
    throw Failure(pending.actor->name(), ": ", error.what());
  }
  pending.done(std::move(reply));
}

void ClusterRunner::AskForHeartbeats() {
  if (since_heartbeat_.seconds() < training_.config().ray().heartbeat_interval_s()) return;
  since_heartbeat_.Restart();
  CheckForLostResults();
  const auto ask = [this](ClusterActor& actor) {
    // One at a time; who does not answer is still.
    const bool asked = std::ranges::any_of(pending_, [&](const Pending& pending) {
      return pending.actor == &actor && pending.heartbeat;
    });
    if (asked || !actor.alive()) return;
    try {
      Expect(actor, actor.Call("heartbeat", {}), [this, &actor](const std::string& reply) {
        if (!actor.OnHeartbeat(reply)) return;
        training_.Say(Cat(actor.name(), " was lost: the cluster has restarted it"));
        Tell(OtherLost{});
      }).heartbeat = true;
    } catch (const ActorLost& lost) {
      Lose(actor, lost.what());
    }
  };
  for (const auto& shard : shards_) ask(*shard);
  for (const auto& oracle : oracles_) ask(*oracle);
  ask(*learner_);
  ask(*evaluator_);
}

// A call whose arguments were lost with a node never begins: its result is an error, and its
// summary does not come.
void ClusterRunner::CheckForLostResults() {
  const double patience_s = std::max(1.0, 2 * training_.config().ray().heartbeat_interval_s());
  std::vector<Pending> lost;
  for (auto pending = pending_.begin(); pending != pending_.end();) {
    const auto here = pending++;
    if (here->result == nullptr || !cluster_.Wait({here->result}, 0)[0]) continue;
    if (!here->result_seen) here->result_seen.emplace();
    // Its summary may be on the way.
    if (here->result_seen->seconds() < patience_s) continue;
    lost.push_back(std::move(*here));
    pending_.erase(here);
  }
  for (const Pending& pending : lost) {
    std::string why = "its result came without a summary";
    try {
      cluster_.Fetch(*pending.result, kFetchTimeoutS);
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (pending.actor != learner_.get()) {
      Lose(*pending.actor, why);
      continue;
    }
    training_.Say(Cat("An update was lost: ", why));
    learner_->EndWork(0);
    for (const Ticket ticket : feeding_) batches_.erase(ticket);
    Tell(UpdateLost{});
  }
}

void ClusterRunner::CheckForHangs() {
  const RayConfig& ray = training_.config().ray();
  const auto check = [&](ClusterActor& actor) {
    const double limit_s = actor.greeted() ? ray.hang_timeout_s() : ray.start_timeout_s();
    if (!actor.working() || actor.still_for_s() < limit_s) return;
    Lose(actor, Cat("it has not moved for ", limit_s, " s, in phase '", actor.heartbeat().phase(), "'"));
  };
  for (const auto& shard : shards_) check(*shard);
  check(*learner_);
  check(*evaluator_);
}

void ClusterRunner::Lose(ClusterActor& actor, const std::string& why) {
  std::erase_if(pending_, [&](const Pending& pending) { return pending.actor == &actor; });
  const bool is_oracle =
      std::ranges::any_of(oracles_, [&](const auto& oracle) { return oracle.get() == &actor; });
  // The cluster restarts it; the heartbeat that finds it again counts that.
  if (is_oracle) return;
  actor.End();
  const int most = training_.config().ray().max_restarts();
  if (actor.starts() > most) {
    throw Failure("actor ", actor.name(), " was lost ", actor.starts(), " times (", why,
                  "): more than ray.max_restarts allows");
  }
  training_.Say(Cat(actor.name(), " was lost (", why, "): replacing it"));
  saving_.reset();
  if (&actor == learner_.get()) {
    for (const Ticket ticket : std::exchange(feeding_, {})) batches_.erase(ticket);
    return Tell(LearnerLost{});
  }
  if (&actor == evaluator_.get()) {
    Tell(OtherLost{});
    const bool evaluating = actor.working();
    actor.Start(CommonSettings());
    if (evaluating) Carry(Evaluate{});
    return;
  }
  const auto shard = std::ranges::find(shards_, &actor, &std::unique_ptr<ClusterActor>::get);
  DRAY_CHECK(shard != shards_.end());
  Tell(ShardLost{static_cast<int>(shard - shards_.begin())});
}

void ClusterRunner::RecordActors(bool whole_run) {
  const auto record = [&](ClusterActor& actor) {
    const ClusterActor::Account account = whole_run ? actor.total() : actor.TakeAccount();
    training_.OnActor({actor.name(), account.times.busy_s, account.waiting_s,
                       account.times.transfer_s, actor.heartbeat().memory_mb()});
  };
  for (const auto& shard : shards_) record(*shard);
  for (const auto& oracle : oracles_) record(*oracle);
  record(*learner_);
  record(*evaluator_);
}

}  // namespace dray
