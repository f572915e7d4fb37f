#include "src/loop/coordinator.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "src/base/bytes.h"

namespace dray {
namespace {

// Returns whether something that happens every `interval` epochs (0: never) happens between these.
bool IsDue(int interval, int64_t epochs_before, int64_t epochs) {
  return interval > 0 && epochs / interval > epochs_before / interval;
}

}  // namespace

std::vector<LoopCommand> Coordinator::Start() {
  if (LimitReached(counters_)) {
    phase_ = Phase::kFinished;
    return {Finish{}};
  }
  return Advance();
}

std::vector<LoopCommand> Coordinator::On(const LoopEvent& event) {
  std::visit([this](const auto& e) { Handle(e); }, event);
  return Advance();
}

// --- What happened

void Coordinator::Handle(const Collected& event) {
  if (event.ticket <= newest_ticket_) return;  // told twice
  newest_ticket_ = event.ticket;
  Shard& shard = shards_.at(event.shard);
  if (shard.state != ShardState::kCollecting) {
    // From a shard that was given up: the batch is counted as lost already.
    commands_.push_back(Drop{event.ticket});
    return;
  }
  shard.state = ShardState::kIdle;
  ++shard.waiting;
  waiting_.push_back(
      {event.ticket, event.shard, event.policy_version, event.steps, event.episodes});
}

void Coordinator::Handle(const ShardLost& event) {
  if (phase_ == Phase::kFinished) return;
  Shard& shard = shards_.at(event.shard);
  if (shard.state == ShardState::kCollecting) counters_.batches_lost += BatchesOf(event.shard);
  shard.state = ShardState::kLost;
  checkpointing_ = false;
  ++counters_.actors_restarted;
  commands_.push_back(Respawn{event.shard});
}

void Coordinator::Handle(const RolloutLost& event) {
  Shard& shard = shards_.at(event.shard);
  if (shard.state != ShardState::kCollecting) return;
  counters_.batches_lost += BatchesOf(event.shard);
  shard.state = ShardState::kIdle;
}

void Coordinator::Handle(const ShardReady& event) {
  Shard& shard = shards_.at(event.shard);
  if (shard.state == ShardState::kLost) shard.state = ShardState::kIdle;
}

void Coordinator::Handle(const Updated& event) {
  // Told twice, or by a learner that was given up: what replaced it has published since.
  if (phase_ != Phase::kUpdating || event.policy_version <= counters_.policy_version) return;
  const int64_t epochs_before = counters_.epochs;
  counters_ = AfterUpdate();
  counters_.policy_version = event.policy_version;
  feeding_.clear();
  checkpointed_ = false;
  EnterBoundary(epochs_before);
}

void Coordinator::Handle(const LearnerLost&) {
  if (phase_ == Phase::kFinished) return;
  rollouts_foreseen_ = false;
  counters_.batches_lost += BatchesIn(feeding_);
  feeding_.clear();
  ++counters_.actors_restarted;
  checkpointing_ = false;
  // Its replacement may be lost as well, before it is ready.
  if (phase_ != Phase::kRestoring) {
    after_restore_ = phase_ == Phase::kBoundary ? Phase::kBoundary : Phase::kRunning;
  }
  phase_ = Phase::kRestoring;
  commands_.push_back(RestoreLearner{});
}

void Coordinator::Handle(const LearnerRestored& event) {
  if (phase_ != Phase::kRestoring) return;
  counters_.updates_undone = counters_.updates - event.updates;
  counters_.batches_undone += counters_.batches_trained - event.batches;
  counters_.batches_trained = event.batches;
  // What it publishes is newer than all that was published, though its weights may be older.
  ++counters_.policy_version;
  phase_ = after_restore_;
}

void Coordinator::Handle(const UpdateLost&) {
  if (phase_ != Phase::kUpdating) return;
  rollouts_foreseen_ = false;
  counters_.batches_lost += BatchesIn(feeding_);
  feeding_.clear();
  phase_ = Phase::kRunning;
}

void Coordinator::Handle(const Evaluated&) { evaluating_ = false; }

void Coordinator::Handle(const Checkpointed&) {
  if (!std::exchange(checkpointing_, false)) return;
  checkpointed_ = true;
  checkpoint_due_ = checkpoint_requested_ = false;  // also what was asked for meanwhile
}

void Coordinator::Handle(const StopRequested&) { stop_requested_ = true; }

// --- What to do now

std::vector<LoopCommand> Coordinator::Advance() {
  if (phase_ == Phase::kBoundary) AdvanceBoundary();
  if (phase_ == Phase::kRunning) {
    DropStale();
    StartUpdate();
  }
  StartRollouts();
  return std::exchange(commands_, {});
}

void Coordinator::EnterBoundary(int64_t epochs_before) {
  const auto due = [&](int interval) { return IsDue(interval, epochs_before, counters_.epochs); };
  const bool foreseen = std::exchange(rollouts_foreseen_, false);
  phase_ = Phase::kBoundary;
  if (!foreseen) {
    last_ = LimitReached(counters_);
    evaluation_due_ |=
        last_ || due(settings_.evaluation_interval) || std::exchange(evaluation_requested_, false);
    checkpoint_due_ |= due(settings_.save_interval);
  }
  // What was evaluated is reported, and so outlives a stop.
  report_due_ |=
      evaluation_due_ || due(settings_.log_interval) || std::exchange(report_requested_, false);
  if (!foreseen) return;
  if (std::exchange(report_due_, false)) commands_.push_back(EmitReport{});
  phase_ = Phase::kRunning;
}

void Coordinator::AdvanceBoundary() {
  const bool ending = last_ || stop_requested_;
  if (evaluation_due_ && !evaluating_) {
    evaluation_due_ = false;
    evaluating_ = true;
    commands_.push_back(Evaluate{});
  }
  // The learner waits, so that what was evaluated is what is reported and saved.
  if (evaluating_) return;
  if (ending) {
    // What nobody will learn from is dropped before the last report and checkpoint, which show it.
    if (!AllIdle()) return;
    for (const WaitingBatch& batch : waiting_) DropBatch(batch);
    waiting_.clear();
  }
  checkpoint_due_ |= std::exchange(checkpoint_requested_, false) || (ending && !checkpointed_);
  if (std::exchange(report_due_, false)) commands_.push_back(EmitReport{});
  if (checkpoint_due_) {
    if (AllIdle() && !checkpointing_) {
      checkpointing_ = true;
      commands_.push_back(TakeCheckpoint{});
    }
    return;
  }
  if (!ending) {
    phase_ = Phase::kRunning;
    return;
  }
  phase_ = Phase::kFinished;
  commands_.push_back(Finish{});
}

void Coordinator::DropStale() {
  std::erase_if(waiting_, [this](const WaitingBatch& batch) {
    if (counters_.policy_version - batch.policy_version <= settings_.max_policy_lag) return false;
    --shards_[batch.shard].waiting;
    DropBatch(batch);
    return true;
  });
}

void Coordinator::StartUpdate() {
  const auto wanted = static_cast<size_t>(RoundSize()) * shards_.size();
  if (waiting_.size() < wanted) return;
  feeding_.assign(waiting_.begin(), waiting_.begin() + wanted);
  waiting_.erase(waiting_.begin(), waiting_.begin() + wanted);
  // By shard, and within a shard by age: the same order however the shards raced.
  std::ranges::stable_sort(feeding_, {}, &WaitingBatch::shard);
  Update update{{}, Remaining()};
  for (const WaitingBatch& batch : feeding_) {
    --shards_[batch.shard].waiting;
    update.tickets.push_back(batch.ticket);
  }
  phase_ = Phase::kUpdating;
  commands_.push_back(std::move(update));
}

void Coordinator::StartRollouts() {
  if (phase_ == Phase::kRestoring || phase_ == Phase::kFinished) return;
  if (synchronous() && phase_ != Phase::kRunning) return;
  if (phase_ == Phase::kBoundary && (checkpoint_due_ || LimitReached(counters_) || stop_requested_))
    return;
  int limit = RoundSize();
  if (!synchronous()) {
    // A batch that begins now is fed after those that wait, and after the update under way: it must
    // not be too old by then.
    const int updating = phase_ == Phase::kUpdating ? 1 : 0;
    limit = std::max(
        limit, std::min(settings_.max_waiting_per_shard, settings_.max_policy_lag + 1 - updating));
  }
  for (size_t i = 0; i < shards_.size(); ++i) {
    if (shards_[i].state != ShardState::kIdle || shards_[i].waiting >= limit) continue;
    shards_[i].state = ShardState::kCollecting;
    shards_[i].collects_with = counters_.policy_version;
    counters_.batches_collected += BatchesOf(static_cast<int>(i));
    commands_.push_back(Collect{static_cast<int>(i)});
  }
}

void Coordinator::DropBatch(const WaitingBatch& batch) {
  counters_.batches_dropped += BatchesOf(batch.shard);
  commands_.push_back(Drop{batch.ticket});
}

int64_t Coordinator::BatchesOf(int shard) const {
  return settings_.batches_per_shard.empty() ? 1 : settings_.batches_per_shard.at(shard);
}

int64_t Coordinator::BatchesIn(const std::vector<WaitingBatch>& collected) const {
  int64_t batches = 0;
  for (const WaitingBatch& batch : collected) batches += BatchesOf(batch.shard);
  return batches;
}

std::optional<double> Coordinator::ForeseenUpdate() const {
  const bool all_collect = std::ranges::all_of(shards_, [this](const Shard& shard) {
    return shard.state == ShardState::kCollecting &&
           shard.collects_with == counters_.policy_version;
  });
  if (!synchronous() || phase_ != Phase::kRunning || RoundSize() != 1 || !all_collect ||
      !waiting_.empty()) {
    return std::nullopt;
  }
  return Remaining();
}

std::optional<double> Coordinator::ForeseeRollouts() {
  if (!synchronous() || phase_ != Phase::kUpdating || !AllIdle() || !waiting_.empty() ||
      settings_.has_goal || stop_requested_ || evaluation_requested_ || checkpoint_requested_) {
    return std::nullopt;
  }
  const LoopCounters after = AfterUpdate();
  const auto due = [&](int interval) { return IsDue(interval, counters_.epochs, after.epochs); };
  if (LimitReached(after) || due(settings_.evaluation_interval) || due(settings_.save_interval)) {
    return std::nullopt;
  }
  rollouts_foreseen_ = true;
  return ProgressAt(after);
}

// --- How far the run is

LoopCounters Coordinator::AfterUpdate() const {
  LoopCounters after = counters_;
  after.epochs += RoundSize();
  ++after.updates;
  after.batches_trained += BatchesIn(feeding_);
  for (const WaitingBatch& batch : feeding_) {
    after.total_steps += batch.steps;
    after.completed_episodes += batch.episodes;
  }
  return after;
}

bool Coordinator::LimitReached(const LoopCounters& counters) const {
  if (counters.goal_reached != 0 || time_share_ >= 1) return true;
  if (settings_.epoch_limit > 0) return counters.epochs >= settings_.epoch_limit;
  return settings_.episode_limit > 0 && counters.completed_episodes >= settings_.episode_limit;
}

bool Coordinator::AllIdle() const {
  return std::ranges::all_of(shards_, [](const Shard& s) { return s.state == ShardState::kIdle; });
}

int Coordinator::RoundSize() const {
  if (settings_.epoch_limit == 0) return settings_.update_interval;
  const int64_t left = settings_.epoch_limit - counters_.epochs;
  return std::clamp<int64_t>(left, 1, settings_.update_interval);
}

double Coordinator::ProgressAt(const LoopCounters& counters) const {
  if (counters.goal_reached != 0) return 1;
  return std::min(1.0, std::max(CountedShare(counters), time_share_));
}

double Coordinator::CountedShare(const LoopCounters& counters) const {
  const auto share = [](int64_t done, int64_t limit) {
    return static_cast<double>(done) / static_cast<double>(limit);
  };
  if (settings_.epoch_limit > 0) return share(counters.epochs, settings_.epoch_limit);
  if (settings_.episode_limit > 0)
    return share(counters.completed_episodes, settings_.episode_limit);
  return 0;
}

double Coordinator::Remaining() const {
  if (settings_.epoch_limit == 0 || time_share_ > CountedShare(counters_)) return 1 - progress();
  const int64_t epochs_left = settings_.epoch_limit - counters_.epochs;
  const int64_t left = (epochs_left + settings_.update_interval - 1) / settings_.update_interval;
  return static_cast<double>(left) / static_cast<double>(counters_.updates + left);
}

int64_t Coordinator::batches_under_way() const {
  int64_t batches = BatchesIn(waiting_) + BatchesIn(feeding_);
  for (size_t i = 0; i < shards_.size(); ++i) {
    if (shards_[i].state == ShardState::kCollecting) batches += BatchesOf(static_cast<int>(i));
  }
  return batches;
}

std::string Coordinator::Save() const {
  // Batches that wait are not saved, and the shards are already past them: whoever goes on from
  // here has dropped them. Others that are under way are asked for again.
  LoopCounters counters = counters_;
  const int64_t dropped = BatchesIn(waiting_);
  counters.batches_dropped += dropped;
  counters.batches_collected -= batches_under_way() - dropped;
  ByteWriter out;
  out.Put(counters);
  return out.Take();
}

void Coordinator::Load(std::string_view state) {
  constexpr size_t kWithoutAccount = offsetof(LoopCounters, batches_collected);
  std::string bytes(state);
  const bool without_account = bytes.size() == kWithoutAccount;
  if (without_account) bytes.resize(sizeof(LoopCounters));
  ByteReader in(bytes, "the loop's saved state");
  counters_ = in.Get<LoopCounters>();
  in.ExpectEnd();
  // The account begins here, with what was counted before.
  if (without_account) {
    counters_.batches_collected = counters_.batches_dropped + counters_.batches_lost;
  }
}

}  // namespace dray
