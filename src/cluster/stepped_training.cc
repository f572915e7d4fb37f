#include "src/cluster/stepped_training.h"

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/cluster/layout.h"
#include "src/cluster/role_settings.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/config/config.pb.h"
#include "src/config/user_path.h"
#include "src/env/env.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/loop/env_count.h"
#include "src/loop/loop_report.h"
#include "src/loop/loop_settings.h"
#include "src/loop/run_plan.h"
#include "src/loop/training_state.h"
#include "src/output/format.h"
#include "src/output/jsonl_sink.h"

namespace dray {
namespace {

constexpr std::string_view kShard = "shard-";

Cluster::Info InfoOf(std::string_view text) {
  const Json json = ParsedJson(text);
  if (!json.is_object()) throw Failure("'", text, "' does not describe a cluster");
  // Of a machine; written so that NaN fails as well.
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) return 0.0;
    const double value = found->is_number() ? found->get<double>() : -1;
    const bool counts_processors = std::string_view(key).ends_with("pus");
    if (!(value >= 0 && value <= (counts_processors ? 1e6 : 1e18))) {
      throw Failure("the cluster's ", key, " is no number");
    }
    return value;
  };
  const auto address = json.find("address");
  Cluster::Info info;
  if (address != json.end() && address->is_string()) address->get_to(info.address);
  info.cpus = number("cpus");
  info.gpus = number("gpus");
  info.free_cpus = number("free_cpus");
  info.free_gpus = number("free_gpus");
  info.memory_bytes = static_cast<int64_t>(number("memory_bytes"));
  info.object_store_bytes = static_cast<int64_t>(number("object_store_bytes"));
  return info;
}

class SteppedTraining : public DispatchedRole {
 public:
  explicit SteppedTraining(const Config& config);

 private:
  std::string Place(std::string_view cluster);
  std::string Settings(std::string_view actor) const;
  std::string Next();
  std::string Header();
  std::string OnUpdate(std::string_view summary);
  void Save(Arguments states);
  void Load(const std::string& path);
  const std::string& Saved(std::string_view actor) const;

  // At the beginning, or from a checkpoint.
  void Restart(const Checkpoint* from = nullptr);
  // Does what can be done here; rollouts and updates become due.
  void FollowCommands();
  size_t ShardOf(std::string_view actor) const;

  Config config_;
  EnvSpec spec_;
  RunPlan plan_;                          // empty until placed
  std::unique_ptr<TrainingState> state_;  // null until placed
  std::optional<Checkpoint> loaded_;
  std::vector<int> due_;          // shards that are to collect
  std::optional<Update> update_;  // that is due
  int64_t next_call_ = 0;
};

SteppedTraining::SteppedTraining(const Config& config)
    : DispatchedRole("training"), config_(CarryingFiles(config)), spec_(SpecOf(config_.env())) {
  const auto add = [this](const char* name, size_t count, auto answer) {
    Add(name, count, [this, name, answer](Arguments arguments, ByteSink& reply) {
      if (!state_) throw Failure("training.", name, " comes before training.place");
      reply.Write(answer(arguments));
    });
  };
  Add("place", 1, [this](Arguments cluster, ByteSink& reply) { reply.Write(Place(cluster[0])); });
  add("settings", 1, [this](Arguments actor) { return Settings(actor[0]); });
  add("next", 0, [this](Arguments) { return Next(); });
  add("header", 0, [this](Arguments) { return Header(); });
  add("side_model", 0, [this](Arguments) { return *state_->side_model(); });
  add("rolled", 1, [this](Arguments summary) {
    RolloutSummary rollout = RolloutSummary::FromBytes(summary[0]);
    rollout.ExpectOf(spec_, plan_.shard_sizes.size(), plan_.num_envs);
    const int shard = rollout.origin.shard;
    state_->loop().AddRollouts(shard, {std::move(rollout)});
    FollowCommands();
    return std::string();
  });
  add("updated", 1, [this](Arguments summary) { return OnUpdate(summary[0]); });
  add("evaluated", 1, [this](Arguments bytes) {
    const auto evaluation = EvaluationReport::FromBytes(bytes[0]);
    evaluation.ExpectOf(spec_);
    state_->OnEvaluation(evaluation);
    Report report;
    RecordCounters(state_->coordinator(), report);
    RecordEvaluation(evaluation, spec_.episode_stats, report);
    return ReportJson(report);
  });
  add("save", kAnyNumber, [this](Arguments states) { return Save(states), std::string(); });
  add("load", 1, [this](Arguments path) { return Load(std::string(path[0])), std::string(); });
  add("saved", 1, [this](Arguments actor) { return Saved(actor[0]); });
}

std::string SteppedTraining::Place(std::string_view cluster) {
  const Cluster::Info info = InfoOf(cluster);
  ChooseNumEnvs(spec_, {info.cpus, info.memory_bytes}, &config_);
  plan_ = MakePlan(config_, spec_, {.most_shards = ShardingOf(config_, spec_, info).most_shards});
  const ClusterLayout layout = LayOut(config_, plan_, spec_.service_actors, info);
  Restart();
  return JsonText({{"environment", spec_.name},
                   {"shards", plan_.shard_sizes},
                   {"rollout_steps", plan_.rollout_steps},
                   {"samples_per_epoch", plan_.samples_per_epoch},
                   {"epochs", plan_.epochs},
                   {"parameters", plan_.parameters},
                   {"seed", config_.train().seed()},
                   {"shard_cpus", layout.shard_cpus},
                   {"learner_cpus", layout.learner_cpus},
                   {"learner_gpus", layout.learner_gpus},
                   {"oracles", layout.oracles},
                   {"oracle_gpus", layout.oracle_gpus},
                   {"start_timeout_s", config_.ray().start_timeout_s()}});
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

void SteppedTraining::Restart(const Checkpoint* from) {
  LoopSettings settings = LoopSettingsOf(config_, plan_);
  // Whoever steps evaluates, reports and saves when he likes.
  settings.evaluation_interval = settings.log_interval = settings.save_interval = 0;
  // Outside, tickets count on.
  const Ticket first_ticket = state_ ? state_->loop().next_ticket() : 0;
  auto state = std::make_unique<TrainingState>(config_, spec_, plan_, settings, first_ticket);
  state->StartSideLearner(MakeSideLearner(config_));
  if (from != nullptr) state->Load(*from);
  state_ = std::move(state);
  due_.clear();
  update_.reset();
  state_->loop().Start();
  FollowCommands();
}

void SteppedTraining::FollowCommands() {
  TrainingLoop& loop = state_->loop();
  while (const auto command = loop.NextCommand()) {
    if (const auto* collect = std::get_if<Collect>(&*command)) due_.push_back(collect->shard);
    if (const auto* update = std::get_if<Update>(&*command)) update_ = *update;
    if (std::holds_alternative<Evaluate>(*command)) loop.Tell(Evaluated{});
    if (std::holds_alternative<TakeCheckpoint>(*command)) loop.Tell(Checkpointed{});
  }
}

std::string SteppedTraining::Next() {
  if (update_) return JsonText({{"update", update_->tickets}});
  const Coordinator& loop = state_->coordinator();
  if (loop.finished()) return JsonText({{"finished", loop.counters().epochs}});
  return JsonText({{"collect", std::exchange(due_, {})}});
}

std::string SteppedTraining::Header() {
  return CallHeaderBytes(next_call_++, state_->coordinator().progress(),
                         update_ ? update_->remaining : 0);
}

std::string SteppedTraining::OnUpdate(std::string_view summary) {
  if (!update_) throw Failure("training.updated: no update was asked for");
  const UpdateReport update = UpdateReport::FromBytes(summary);
  if (!IsCount(update.version) ||
      update.version <= state_->coordinator().counters().policy_version) {
    throw Failure("the summary of an update is damaged: version ", update.version);
  }
  update_.reset();
  state_->OnUpdate(update);
  FollowCommands();
  Report report;
  state_->TakeInto(report);
  report.Record("time/transfer_s", update.merge_s);
  report.Record("time/learn_s", update.learn_s);
  report.Record("time/elapsed_s", state_->elapsed_s());
  return ReportJson(report);
}

// --- Saving

void SteppedTraining::Save(Arguments states) {
  const size_t shards = plan_.shard_sizes.size();
  if (states.size() != 3 + shards) {
    throw Failure("training.save takes ", 3 + shards, " arguments, not ", states.size());
  }
  Checkpoint checkpoint;
  checkpoint.learner = states[1];
  checkpoint.weights = states[2];
  checkpoint.shards.assign(states.begin() + 3, states.end());
  state_->SaveInto(checkpoint);
  WriteFileAtomically(UserPath(std::string(states[0])), checkpoint.ToBytes());
}

void SteppedTraining::Load(const std::string& path) {
  Checkpoint checkpoint = CheckpointStore::LoadFile(UserPath(path));
  if (checkpoint.shards.size() != plan_.shard_sizes.size()) {
    throw UsageError(path, " has ", FormatCounted(std::ssize(checkpoint.shards), "shard"),
                     ", this training ", plan_.shard_sizes.size(), ": start it with as many");
  }
  try {
    Restart(&checkpoint);
  } catch (const Error& error) {
    throw Failure(path, " is damaged: ", error.what());
  }
  loaded_ = std::move(checkpoint);
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
