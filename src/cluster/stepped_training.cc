#include "src/cluster/stepped_training.h"

#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/cluster/layout.h"
#include "src/cluster/role_settings.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/user_path.h"
#include "src/env/env.h"
#include "src/envs/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/coordinator.h"
#include "src/loop/episode_window.h"
#include "src/loop/loop_report.h"
#include "src/loop/loop_settings.h"
#include "src/loop/rollout_stats.h"
#include "src/loop/run_plan.h"
#include "src/loop/side_thread.h"
#include "src/loop/stopwatch.h"
#include "src/metrics/format.h"
#include "src/metrics/jsonl_sink.h"
#include "src/rollout/batch.h"

namespace dray {
namespace {

constexpr std::string_view kShard = "shard-";

template <typename Number>
std::string JsonList(const std::vector<Number>& numbers) {
  std::string list;
  for (const Number number : numbers) list += Cat(list.empty() ? "" : ", ", number);
  return "[" + list + "]";
}

Cluster::Info InfoOf(std::string_view text) {
  const Json json = Json::parse(text, /*callback=*/nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw Failure("'", text, "' does not describe a cluster");
  Cluster::Info info;
  info.address = json.value("address", "");
  info.cpus = json.value("cpus", 0.0);
  info.gpus = json.value("gpus", 0.0);
  info.free_cpus = json.value("free_cpus", 0.0);
  info.free_gpus = json.value("free_gpus", 0.0);
  info.memory_bytes = json.value("memory_bytes", int64_t{0});
  info.object_store_bytes = json.value("object_store_bytes", int64_t{0});
  return info;
}

class SteppedTraining : public DispatchedRole {
 public:
  explicit SteppedTraining(const Config& config);

 private:
  std::string Place(std::string_view cluster);
  std::string Settings(std::string_view actor) const;
  std::string Next();
  std::string Orders();
  void OnRollout(std::string_view summary);
  std::string OnUpdate(std::string_view summary);
  void Save(Arguments states);
  void Load(const std::string& path);
  const std::string& Saved(std::string_view actor) const;

  void Restart();
  void Follow(const std::vector<LoopCommand>& commands);
  size_t ShardOf(std::string_view actor) const;

  Config config_;
  EnvSpec spec_;
  RunPlan plan_;
  std::optional<Coordinator> loop_;  // empty: not yet placed
  EpisodeWindow episodes_;
  RolloutStats rollout_stats_;
  std::unique_ptr<SideThread> side_;  // null: the task has no side learner
  std::optional<Checkpoint> loaded_;

  std::map<Ticket, RolloutSummary> rollouts_;  // not yet learned from
  std::vector<int> due_;                       // shards that are to collect
  std::optional<Update> update_;               // that is due
  int64_t next_call_ = 0;
  Ticket next_ticket_ = 0;
  Stopwatch clock_;
  double elapsed_before_s_ = 0;
};

SteppedTraining::SteppedTraining(const Config& config)
    : DispatchedRole("training"),
      config_(config),
      spec_(SpecOf(config_.env())),
      plan_(MakePlan(config_, spec_)),
      episodes_(spec_.episode_stats),
      rollout_stats_(spec_.rollout_stats) {
  const auto add = [this](const char* name, size_t count, auto answer) {
    Add(name, count, [this, name, answer](Arguments arguments, ByteSink& reply) {
      if (!loop_) throw Failure("training.", name, " comes before training.place");
      reply.Write(answer(arguments));
    });
  };
  Add("place", 1, [this](Arguments cluster, ByteSink& reply) { reply.Write(Place(cluster[0])); });
  add("settings", 1, [this](Arguments actor) { return Settings(actor[0]); });
  add("next", 0, [this](Arguments) { return Next(); });
  add("orders", 0, [this](Arguments) { return Orders(); });
  add("learned", 0, [this](Arguments) { return side_ ? *side_->published() : std::string(); });
  add("rolled", 1, [this](Arguments summary) { return OnRollout(summary[0]), std::string(); });
  add("updated", 1, [this](Arguments summary) { return OnUpdate(summary[0]); });
  add("evaluated", 1, [this](Arguments bytes) {
    Report report;
    RecordCounters(*loop_, report);
    RecordEvaluation(EvaluationReport::FromBytes(bytes[0]), report);
    return ReportJson(report);
  });
  add("save", kAnyNumber, [this](Arguments states) { return Save(states), std::string(); });
  add("load", 1, [this](Arguments path) { return Load(std::string(path[0])), std::string(); });
  add("saved", 1, [this](Arguments actor) { return Saved(actor[0]); });
}

std::string SteppedTraining::Place(std::string_view cluster) {
  const Cluster::Info info = InfoOf(cluster);
  plan_ = MakePlan(config_, spec_, MostShards(config_, info));
  const ClusterLayout layout = LayOut(config_, plan_, spec_.oracle_actors, info);
  if (auto side = MakeSideLearner(config_)) side_ = std::make_unique<SideThread>(std::move(side));
  Restart();
  return Cat("{\"environment\": \"", spec_.name, "\", \"shards\": ", JsonList(plan_.shard_sizes),
             ", \"rollout_steps\": ", plan_.rollout_steps,
             ", \"samples_per_epoch\": ", plan_.samples_per_epoch, ", \"epochs\": ", plan_.epochs,
             ", \"parameters\": ", plan_.parameters, ", \"seed\": ", config_.train().seed(),
             ", \"shard_cpus\": ", JsonNumber(layout.shard_cpus),
             ", \"learner_cpus\": ", JsonNumber(layout.learner_cpus),
             ", \"learner_gpus\": ", JsonNumber(layout.learner_gpus),
             ", \"oracles\": ", layout.oracles,
             ", \"oracle_gpus\": ", JsonNumber(layout.oracle_gpus),
             ", \"start_timeout_s\": ", JsonNumber(config_.ray().start_timeout_s()), "}");
}

size_t SteppedTraining::ShardOf(std::string_view actor) const {
  size_t shard = plan_.shard_sizes.size();
  if (actor.starts_with(kShard)) {
    actor.remove_prefix(kShard.size());
    std::from_chars(actor.data(), actor.data() + actor.size(), shard);
  }
  if (shard >= plan_.shard_sizes.size()) throw Failure("this training has no actor ", actor);
  return shard;
}

std::string SteppedTraining::Settings(std::string_view actor) const {
  RoleSettings settings = actor.starts_with(kShard)
                              ? ShardSettingsOf(config_, plan_, ShardOf(actor), /*replacement=*/0)
                              : SettingsOf(config_, plan_);
  settings.set_name(std::string(actor));
  return settings.SerializeAsString();
}

// --- The loop
// ---------------------------------------------------------------------------------------

void SteppedTraining::Restart() {
  LoopSettings settings = LoopSettingsOf(config_, plan_);
  // Whoever steps evaluates, reports and saves when he likes.
  settings.evaluation_interval = settings.log_interval = settings.save_interval = 0;
  loop_.emplace(settings);
  if (loaded_) loop_->Load(loaded_->loop);
  rollouts_.clear();
  due_.clear();
  update_.reset();
  Follow(loop_->Start());
}

void SteppedTraining::Follow(const std::vector<LoopCommand>& commands) {
  for (const LoopCommand& command : commands) {
    if (const auto* collect = std::get_if<Collect>(&command)) due_.push_back(collect->shard);
    if (const auto* update = std::get_if<Update>(&command)) update_ = *update;
    if (std::holds_alternative<Evaluate>(command)) Follow(loop_->On(Evaluated{}));
    if (std::holds_alternative<TakeCheckpoint>(command)) Follow(loop_->On(Checkpointed{}));
  }
}

std::string SteppedTraining::Next() {
  if (update_) return Cat("{\"update\": ", JsonList(update_->tickets), "}");
  if (loop_->finished()) return Cat("{\"finished\": ", loop_->counters().epochs, "}");
  return Cat("{\"collect\": ", JsonList(std::exchange(due_, {})), "}");
}

std::string SteppedTraining::Orders() {
  CallOrders orders;
  orders.set_call(next_call_++);
  orders.set_progress(loop_->progress());
  orders.set_remaining(update_ ? update_->remaining : 0);
  return orders.SerializeAsString();
}

void SteppedTraining::OnRollout(std::string_view bytes) {
  RolloutSummary summary = RolloutSummary::FromBytes(bytes);
  const Ticket ticket = next_ticket_++;
  const Collected collected{summary.origin.shard, ticket, summary.origin.policy_version,
                            summary.steps, static_cast<int64_t>(summary.news.episodes.size())};
  rollouts_.emplace(ticket, std::move(summary));
  Follow(loop_->On(collected));
}

std::string SteppedTraining::OnUpdate(std::string_view summary) {
  if (!update_) throw Failure("training.updated: no update was asked for");
  const auto update = ByteReader(summary, "the summary of an update").Get<UpdateReport>();
  PhaseTimes times;
  for (const Ticket ticket : update_->tickets) {
    const auto rollout = rollouts_.extract(ticket);
    DRAY_CHECK(!rollout.empty());
    const auto& [origin, steps, news] = rollout.mapped();
    for (const Episode& episode : news.episodes) episodes_.Add(episode);
    rollout_stats_.Add(news.rollout_stats);
    if (side_) side_->Add(news.observed);
    times.shards_s += origin.rollout_s;
    times.oracle_s += origin.oracle_s;
  }
  const int64_t epochs_before = loop_->counters().epochs;
  update_.reset();
  Follow(loop_->On(Updated{update.version}));
  const int64_t epochs = loop_->counters().epochs;
  if (side_ && epochs / side_->update_epochs() > epochs_before / side_->update_epochs()) {
    side_->Update();
  }
  Report report;
  RecordCounters(*loop_, report);
  episodes_.RecordInto(report);
  rollout_stats_.TakeInto(report);
  RecordUpdate(update, report);
  report.Record("time/shards_s", times.shards_s);
  report.Record("time/oracle_s", times.oracle_s);
  report.Record("time/transfer_s", update.join_s);
  report.Record("time/learn_s", update.learn_s);
  report.Record("time/elapsed_s", elapsed_before_s_ + clock_.seconds());
  return ReportJson(report);
}

// --- Saving
// -----------------------------------------------------------------------------------------

void SteppedTraining::Save(Arguments states) {
  const size_t shards = plan_.shard_sizes.size();
  if (states.size() != 3 + shards) {
    throw Failure("training.save takes ", 3 + shards, " arguments, not ", states.size());
  }
  Checkpoint checkpoint;
  checkpoint.epoch = loop_->counters().epochs;
  checkpoint.elapsed_s = elapsed_before_s_ + clock_.seconds();
  checkpoint.best_return = std::numeric_limits<double>::quiet_NaN();
  checkpoint.config_yaml = DumpYaml(config_);
  checkpoint.loop = loop_->Save();
  checkpoint.learner = states[1];
  checkpoint.weights = states[2];
  checkpoint.shards.assign(states.begin() + 3, states.end());
  ByteWriter episodes;
  episodes_.Save(episodes);
  checkpoint.episodes = episodes.Take();
  if (side_) {
    checkpoint.side_learner = side_->Save();
    checkpoint.learned = *side_->published();
  }
  WriteFileAtomically(UserPath(std::string(states[0])), checkpoint.ToBytes());
}

void SteppedTraining::Load(const std::string& path) {
  Checkpoint checkpoint = CheckpointStore::LoadFile(UserPath(path));
  if (checkpoint.shards.size() != plan_.shard_sizes.size()) {
    throw UsageError(path, " has ", checkpoint.shards.size(), " shards, this training ",
                     plan_.shard_sizes.size(), ": start it with as many");
  }
  ByteReader episodes(checkpoint.episodes, "the saved episodes");
  episodes_.Load(episodes);
  if (side_) side_->Load(checkpoint.side_learner);
  elapsed_before_s_ = checkpoint.elapsed_s;
  clock_.Restart();
  loaded_ = std::move(checkpoint);
  Restart();
}

const std::string& SteppedTraining::Saved(std::string_view actor) const {
  if (!loaded_) throw Failure("nothing was loaded");
  return actor == "learner" ? loaded_->learner : loaded_->shards[ShardOf(actor)];
}

}  // namespace

std::unique_ptr<Role> MakeSteppedTraining(const Config& config) {
  if (config.ppo().max_policy_lag() > 0) {
    throw UsageError("ppo.max_policy_lag ", config.ppo().max_policy_lag(),
                     ": a training that is stepped is synchronous; set it to 0, or use train");
  }
  return std::make_unique<SteppedTraining>(config);
}

}  // namespace dray
