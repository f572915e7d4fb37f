#include "tests/loop/simulated_cluster.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/loop/coordinator.h"
#include "tests/loop/command_text.h"
#include "tests/loop/loop_account.h"

namespace dray {
namespace {

using State = LoopAccount::State;

constexpr int kMostEvents = 20000;  // far more than any run takes: then it goes in circles

int Between(Rng& rng, int least, int most) {
  return least + static_cast<int>(rng.Below(static_cast<uint32_t>(most - least + 1)));
}

LoopSettings DrawSettings(Rng& rng) {
  LoopSettings settings;
  settings.shards = Between(rng, 1, 5);
  settings.update_interval = Between(rng, 1, 3);
  settings.max_policy_lag = rng.Below(2) == 0 ? 0 : Between(rng, 1, 3);
  settings.max_waiting_per_shard = Between(rng, 1, 3);
  const bool by_epochs = rng.Below(5) > 0;
  settings.epoch_limit = by_epochs ? Between(rng, 1, 12) : 0;
  settings.episode_limit = by_epochs ? 0 : Between(rng, 1, 40);
  settings.evaluation_interval = Between(rng, 0, 3);
  settings.log_interval = Between(rng, 1, 3);
  settings.save_interval = Between(rng, 0, 3);
  return settings;
}

class Cluster {
 public:
  Cluster(const LoopSettings& settings, Rng rng, bool traced, SimulationTotals& totals)
      : rng_(std::move(rng)),
        traced_(traced),
        totals_(totals),
        loop_(settings),
        account_(settings),
        answers_late_(settings.shards),
        foresees_rollouts_(Chance(0.5)),
        losses_left_(Between(rng_, 0, 11)),
        may_stop_(Chance(0.2)) {
    for (int i = 0; i < settings.shards; ++i) speeds_.push_back(Between(rng_, 1, 6));
  }

  void Run() {
    Carry(loop_.Start());
    for (int i = 0; !account_.finished; ++i) {
      LoopAccount::Expect(i < kMostEvents, "the run ends");
      Happen();
    }
    totals_.stopped_runs += account_.stopped;
    totals_.stale_drops += account_.stale_drops;
  }

  const std::string& trace() const { return trace_; }

 private:
  bool Chance(double probability) { return rng_.Uniform() < probability; }
  bool NextLoss(double probability) {
    return losses_left_ > 0 && Chance(probability) && losses_left_-- > 0;
  }
  int shards() const { return static_cast<int>(account_.shards.size()); }

  // One thing that may happen now, by chance.
  void Happen() {
    if (may_stop_ && !account_.stopped && Chance(0.02)) return Stop();
    if (Chance(0.02)) loop_.RequestCheckpoint();
    if (NextLoss(0.1)) {
      if (Chance(0.3)) return LoseLearner();
      const int shard = Between(rng_, 0, shards() - 1);
      return Chance(0.2) ? LoseRollout(shard) : LoseShard(shard);
    }
    std::vector<std::function<void()>> moves;
    for (int i = 0; i < shards(); ++i) {
      if (account_.shards[i].state == State::kBusy)
        moves.insert(moves.end(), speeds_[i], [this, i] { AnswerCollect(i); });
      if (account_.shards[i].respawning) moves.push_back([this, i] { AnswerRespawn(i); });
      if (answers_late_[i]) moves.push_back([this, i] { AnswerCollectLate(i); });
    }
    if (account_.learner == State::kBusy) moves.insert(moves.end(), 2, [this] { AnswerUpdate(); });
    if (account_.restoring) moves.push_back([this] { AnswerRestore(); });
    if (account_.evaluating) moves.push_back([this] { AnswerEvaluate(); });
    if (account_.checkpointing) moves.push_back([this] { AnswerCheckpoint(); });
    LoopAccount::Expect(!moves.empty(), "something is in flight until the run ends");
    if (late_update_) moves.push_back([this] { Tell(Updated{*late_update_}, "updated late"); });
    moves[rng_.Below(static_cast<uint32_t>(moves.size()))]();
  }

  void Stop() {
    account_.stopped = true;
    // Rollouts that were promised are learned from.
    account_.updates_at_stop = account_.counts.updates + (rollouts_foreseen_ ? 1 : 0);
    totals_.stops_behind_foreseen_rollouts += rollouts_foreseen_ ? 1 : 0;
    Tell(StopRequested{}, "stop");
  }

  // The rollout began at any time since it was asked for, by the weights of then.
  void AnswerCollect(int i) {
    LoopAccount::Shard& shard = account_.shards[i];
    shard.state = State::kIdle;
    TellBatch(i, Between(rng_, static_cast<int>(shard.version_at_start),
                         static_cast<int>(account_.counts.policy_version)));
  }

  void AnswerCollectLate(int i) {
    answers_late_[i] = false;
    ++totals_.late_answers;
    const Ticket ticket = next_ticket_;
    TellBatch(i, account_.counts.policy_version, /*given_up=*/true);
    LoopAccount::Expect(!account_.kept.contains(ticket),
                        "the late answer of a lost shard is dropped");
  }

  void TellBatch(int i, int64_t version, bool given_up = false) {
    const Collected event{i, next_ticket_++, version, Between(rng_, 1, 100), Between(rng_, 1, 3)};
    account_.kept[event.ticket] = {i, version, event.steps, event.episodes, given_up};
    Tell(event, "collected");
  }

  void LoseShard(int i) {
    if (account_.shards[i].state == State::kLost) return;  // AnswerRespawn loses those
    ++totals_.shards_lost;
    totals_.checkpoints_given_up += account_.checkpointing;
    answers_late_[i] = account_.shards[i].state == State::kBusy && Chance(0.5);
    account_.LoseShard(i);
    foreseen_.reset();
    TellOnce(ShardLost{i}, "shard lost");
    LoopAccount::Expect(account_.shards[i].respawning, "a lost shard is replaced at once");
  }

  void LoseRollout(int i) {
    LoopAccount::Shard& shard = account_.shards[i];
    if (shard.state != State::kBusy) return;
    ++totals_.rollouts_lost;
    shard.state = State::kIdle;
    ++account_.counts.batches_lost;
    TellOnce(RolloutLost{i}, "rollout lost");
  }

  void AnswerRespawn(int i) {
    if (NextLoss(0.3)) {
      account_.LoseShard(i);
      TellOnce(ShardLost{i}, "shard lost again");
      LoopAccount::Expect(account_.shards[i].respawning, "a shard lost again is replaced again");
      return;
    }
    answers_late_[i] = false;
    account_.shards[i].respawning = false;
    account_.shards[i].state = State::kIdle;
    Tell(ShardReady{i}, "shard ready");
  }

  void AnswerUpdate() {
    account_.EndUpdate();
    if (const auto foreseen = std::exchange(rollouts_foreseen_, std::nullopt)) {
      ++totals_.foreseen_rollouts;
      TellOnce(Updated{account_.counts.policy_version}, "updated");
      for (const LoopAccount::Shard& shard : account_.shards)
        LoopAccount::Expect(shard.state != State::kIdle, "foreseen rollouts begin at once");
      LoopAccount::Expect(loop_.progress() == *foreseen, "their progress is the foreseen one");
    }
    Tell(Updated{account_.counts.policy_version}, "updated");
  }

  void LoseLearner() {
    if (account_.learner == State::kLost) return;
    ++totals_.learners_lost;
    totals_.checkpoints_given_up += account_.checkpointing;
    if (account_.learner == State::kBusy && Chance(0.5))
      late_update_ = account_.counts.policy_version + 1;
    account_.LoseLearner();
    foreseen_.reset();
    rollouts_foreseen_.reset();
    TellOnce(LearnerLost{}, "learner lost");
    LoopAccount::Expect(account_.restoring, "a lost learner is restored at once");
  }

  void AnswerRestore() {
    account_.restoring = false;
    if (NextLoss(0.3)) {
      account_.LoseLearner();
      TellOnce(LearnerLost{}, "learner lost again");
      LoopAccount::Expect(account_.restoring, "a learner lost again is restored again");
      return;
    }
    const int standing = static_cast<int>(account_.standing_updates());
    const int kept = Chance(0.5) ? standing : Between(rng_, 0, standing);
    totals_.updates_undone += standing - kept;
    Tell(account_.Restore(static_cast<size_t>(kept)), "restored");
  }

  void AnswerEvaluate() {  // a lost evaluator answers the same
    account_.evaluating = false;
    Tell(Evaluated{}, "evaluated");
  }

  void AnswerCheckpoint() {
    account_.checkpointing = false;
    account_.saved = true;
    Tell(Checkpointed{}, "saved");
  }

  void Tell(const LoopEvent& event, const char* text) {
    TellOnce(event, text);
    if (Chance(0.15)) TellOnce(event, "told again");
  }

  void TellOnce(const LoopEvent& event, const char* text) {
    if (traced_) trace_ += Cat("\n", text, ":");
    Carry(loop_.On(event));
  }

  void Carry(const std::vector<LoopCommand>& commands) {
    if (traced_) trace_ += Cat(" ", TextOf(commands));
    for (const LoopCommand& command : commands) {
      account_.Enter(command);
      if (const auto* update = std::get_if<Update>(&command)) ExpectForeseen(*update);
    }
    account_.ExpectCounters(loop_.counters());
    if (const auto foreseen = loop_.ForeseenUpdate()) foreseen_ = foreseen;
    if (foresees_rollouts_ && Chance(0.5)) {
      if (const auto foreseen = loop_.ForeseeRollouts()) rollouts_foreseen_ = foreseen;
    }
  }

  // An update that was foreseen comes as it was, unless something was lost in between.
  void ExpectForeseen(const Update& update) {
    if (!foreseen_) return;
    ++totals_.foreseen_updates;
    LoopAccount::Expect(update.remaining == *foreseen_, "the foreseen share is that of the update");
    LoopAccount::Expect(std::ssize(update.tickets) == shards(), "it takes one batch of each shard");
    foreseen_.reset();
  }

  Rng rng_;
  bool traced_;
  std::string trace_;
  SimulationTotals& totals_;
  Coordinator loop_;
  LoopAccount account_;
  std::vector<int> speeds_;
  std::vector<bool> answers_late_;      // the lost shard has a batch to tell of yet
  std::optional<int64_t> late_update_;  // what a lost learner has to tell yet
  std::optional<double> foreseen_;      // share that remains at the next update
  // Progress of the rollouts that begin right after the update under way.
  std::optional<double> rollouts_foreseen_;
  bool foresees_rollouts_;
  int losses_left_;
  bool may_stop_;
  Ticket next_ticket_ = 0;
};

void RunCluster(uint64_t seed, bool traced, SimulationTotals& totals) {
  Rng rng(seed, RngPurpose::kTest, 0);
  const LoopSettings settings = DrawSettings(rng);
  Cluster cluster(settings, rng, traced, totals);
  try {
    cluster.Run();
  } catch (const Error& error) {
    if (!traced) throw;
    throw Failure(error.what(), " with ", settings.shards, " shards, update interval ",
                  settings.update_interval, ", lag ", settings.max_policy_lag, cluster.trace());
  }
}

}  // namespace

void SimulateRun(uint64_t seed, SimulationTotals& totals) {
  try {
    RunCluster(seed, /*traced=*/false, totals);
  } catch (const Error&) {
    RunCluster(seed, /*traced=*/true, totals);
  }
}

}  // namespace dray
