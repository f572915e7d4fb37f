#include "tests/loop/loop_account.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"

namespace dray {

void LoopAccount::Expect(bool holds, const char* rule) {
  if (!holds) throw Failure("broken: ", rule);
}

void LoopAccount::Enter(const LoopCommand& command) {
  std::visit([this](const auto& c) { Begin(c); }, command);
}

bool LoopAccount::LimitReached() const {
  return settings_.epoch_limit > 0 ? counts.epochs == settings_.epoch_limit
                                   : counts.completed_episodes >= settings_.episode_limit;
}

bool LoopAccount::AllRest() const {
  return learner == State::kIdle &&
         std::ranges::all_of(shards, [](const Shard& s) { return s.state == State::kIdle; });
}

int64_t LoopAccount::UnderWay() const {
  const auto busy =
      std::ranges::count_if(shards, [](const Shard& s) { return s.state == State::kBusy; });
  return busy + static_cast<int64_t>(kept.size() + feeding_.size());
}

int64_t LoopAccount::Round() const {
  if (settings_.epoch_limit == 0) return settings_.update_interval;
  return std::min<int64_t>(settings_.update_interval, settings_.epoch_limit - counts.epochs);
}

int64_t LoopAccount::PlannedUpdates() const {
  return (settings_.epoch_limit + settings_.update_interval - 1) / settings_.update_interval;
}

int64_t LoopAccount::Waiting(int shard) const {
  return std::ranges::count_if(kept, [&](const auto& b) { return b.second.shard == shard; });
}

void LoopAccount::LoseShard(int shard) {
  counts.batches_lost += shards[shard].state == State::kBusy;
  shards[shard].state = State::kLost;
  shards[shard].respawning = false;
  ++counts.actors_restarted;
  checkpointing = false;
}

void LoopAccount::LoseLearner() {
  learner = State::kLost;
  counts.batches_lost += static_cast<int64_t>(feeding_.size());
  feeding_.clear();
  ++counts.actors_restarted;
  checkpointing = false;
}

void LoopAccount::EndUpdate() {
  learner = State::kIdle;
  const int64_t before = counts.epochs;
  counts.epochs += Round();
  ++counts.updates;
  ++counts.policy_version;
  standing_.push_back(static_cast<int64_t>(feeding_.size()));
  counts.batches_trained += standing_.back();
  for (const Batch& batch : feeding_) {
    counts.total_steps += batch.steps;
    counts.completed_episodes += batch.episodes;
  }
  feeding_.clear();
  const auto due = [&](int every) {
    return LimitReached() || (every > 0 && counts.epochs / every > before / every);
  };
  evaluations_left_ = due(settings_.evaluation_interval);
  reports_left_ = evaluations_left_ > 0 || due(settings_.log_interval);
  save_due_ = due(settings_.save_interval);
  saved = false;
}

LearnerRestored LoopAccount::Restore(size_t updates) {
  learner = State::kIdle;
  ++counts.policy_version;
  while (standing_.size() > updates) {
    ++counts.updates_undone;
    counts.batches_undone += standing_.back();
    counts.batches_trained -= standing_.back();
    standing_.pop_back();
  }
  return {static_cast<int64_t>(updates), counts.batches_trained};
}

void LoopAccount::Begin(const Collect& command) {
  Shard& shard = shards.at(command.shard);
  Expect(!finished, "nothing is collected after the end");
  Expect(shard.state == State::kIdle, "a shard that collects or is lost is not asked to collect");
  Expect(!checkpointing, "no shard collects while a checkpoint is taken");
  if (synchronous())
    Expect(learner == State::kIdle && !evaluating, "on-policy: no shard acts in an update");
  const int64_t most =
      synchronous() ? Round()
                    : std::max<int64_t>(settings_.max_waiting_per_shard, settings_.update_interval);
  Expect(Waiting(command.shard) < most, "a shard far ahead waits");
  ++counts.batches_collected;
  shard.state = State::kBusy;
  shard.version_at_start = counts.policy_version;
}

void LoopAccount::Begin(const Update& command) {
  Expect(!finished && !LimitReached(), "no update after the last");
  Expect(learner == State::kIdle, "one update at a time, by a learner that is there");
  Expect(!evaluating && !checkpointing, "the learner rests in a boundary");
  ExpectBoundaryDone();
  ExpectRemaining(command.remaining);
  Feed(command.tickets);
  if (synchronous()) {
    Expect(std::ranges::none_of(shards, [](const Shard& s) { return s.state == State::kBusy; }),
           "on-policy: no shard acts in an update");
  }
  learner = State::kBusy;
}

void LoopAccount::Feed(const std::vector<Ticket>& tickets) {
  Expect(static_cast<int64_t>(tickets.size()) == Round() * settings_.shards,
         "an update takes as many batches as its epochs have");
  std::map<int, int64_t> per_shard;
  std::pair<int, Ticket> last{-1, -1};
  for (const Ticket ticket : tickets) {
    const auto fed = kept.extract(ticket);
    Expect(!fed.empty(), "a ticket is fed at most once");
    const Batch& batch = fed.mapped();
    Expect(counts.policy_version - batch.policy_version <= settings_.max_policy_lag,
           "no batch older than the lag is used");
    Expect(last < std::pair(batch.shard, ticket), "batches are in the order of shards and age");
    last = {batch.shard, ticket};
    ++per_shard[batch.shard];
    feeding_.push_back(batch);
  }
  for (const auto& [shard, count] : per_shard)
    Expect(!synchronous() || count == Round(), "on-policy: every shard gives the same share");
}

void LoopAccount::ExpectRemaining(double remaining) const {
  if (settings_.epoch_limit > 0) {
    const auto planned = static_cast<double>(PlannedUpdates());
    const double expected = (planned - static_cast<double>(counts.updates)) / planned;
    return Expect(std::abs(remaining - expected) < 1e-12, "remaining falls evenly from 1 to 1/K");
  }
  Expect(remaining > 0 && remaining <= 1, "remaining is a share");
  Expect((counts.updates == 0) == (remaining == 1), "remaining is 1 at first");
}

void LoopAccount::ExpectBoundaryDone() const {
  Expect(evaluations_left_ == 0, "an evaluation that is due is done");
  Expect(reports_left_ == 0, "a report that is due is emitted");
  Expect(saved || !save_due_, "a checkpoint that is due is taken");
}

void LoopAccount::Begin(const Drop& command) {
  const auto dropped = kept.extract(command.ticket);
  Expect(!dropped.empty(), "a ticket that was fed or dropped is not dropped");
  if (dropped.mapped().given_up) return;
  ++counts.batches_dropped;
  stale_drops += counts.policy_version - dropped.mapped().policy_version > settings_.max_policy_lag;
}

void LoopAccount::Begin(const Respawn& command) {
  Shard& shard = shards.at(command.shard);
  Expect(shard.state == State::kLost && !shard.respawning, "a lost shard is replaced, once");
  shard.respawning = true;
}

void LoopAccount::Begin(const RestoreLearner&) {
  Expect(learner == State::kLost && !restoring, "a lost learner is restored, once");
  restoring = true;
}

void LoopAccount::Begin(const Evaluate&) {
  Expect(learner == State::kIdle, "what is evaluated is at rest");
  Expect(evaluations_left_-- > 0, "evaluations come by their interval");
  evaluating = true;
}

void LoopAccount::Begin(const EmitReport&) {
  Expect(!evaluating && evaluations_left_ == 0, "a report comes after the evaluation");
  Expect(reports_left_-- > 0, "reports come by their interval");
}

void LoopAccount::Begin(const TakeCheckpoint&) {
  Expect(AllRest(), "what is saved is at rest");
  Expect(!evaluating && evaluations_left_ == 0 && reports_left_ == 0,
         "a checkpoint comes after evaluation and report");
  Expect(!checkpointing && !saved, "a boundary is saved once");
  checkpointing = true;
}

void LoopAccount::Begin(const Finish&) {
  Expect(!std::exchange(finished, true), "a run ends once");
  ExpectBoundaryDone();
  Expect(saved, "a run ends with a checkpoint");
  Expect(AllRest() && !checkpointing && !evaluating, "at the end all rests");
  Expect(kept.empty(), "every ticket ends in an update or a drop");
  if (stopped) {
    Expect(counts.updates <= updates_at_stop + 1, "a stop ends the run at the next boundary");
  } else {
    Expect(LimitReached(), "a run that is not stopped reaches its limit");
  }
  if (LimitReached() && settings_.epoch_limit > 0)
    Expect(counts.updates == PlannedUpdates(), "a run has as many updates as planned");
}

void LoopAccount::ExpectCounters(const LoopCounters& told) const {
  Expect(told.policy_version == counts.policy_version, "versions are those published");
  Expect(told.epochs == counts.epochs && told.updates == counts.updates, "epochs are counted");
  Expect(told.total_steps == counts.total_steps &&
             told.completed_episodes == counts.completed_episodes,
         "steps and episodes are those learned from");
  Expect(told.batches_dropped == counts.batches_dropped, "drops are counted");
  Expect(told.batches_lost == counts.batches_lost, "lost batches are counted");
  Expect(told.actors_restarted == counts.actors_restarted, "restarts are counted");
  Expect(told.updates_undone == counts.updates_undone, "updates undone are counted");
  Expect(told.batches_trained == counts.batches_trained &&
             told.batches_undone == counts.batches_undone,
         "batches trained and undone are counted");
  Expect(told.batches_collected == counts.batches_collected, "rollouts are counted");
  Expect(told.batches_collected == told.batches_trained + told.batches_dropped + told.batches_lost +
                                       told.batches_undone + UnderWay(),
         "the account balances: collected = trained + dropped + lost + undone + under way");
  Expect(!finished || UnderWay() == 0, "at the end nothing is under way");
}

}  // namespace dray
