#include "src/loop/local_runner.h"

#include <algorithm>
#include <thread>

#include "src/base/error.h"
#include "src/envs/registry.h"
#include "src/loop/start_from.h"
#include "src/nets/torch_export.h"

namespace dray {
namespace {

int ThreadsFor(const Config& config, size_t shards) {
  const auto cores = std::max(1u, std::thread::hardware_concurrency());
  const int wanted =
      config.scale().threads() > 0 ? config.scale().threads() : static_cast<int>(cores);
  return std::min(wanted, static_cast<int>(shards));
}

}  // namespace

LocalRunner::LocalRunner(Training& training, at::Device device)
    : training_(training),
      learner_(training.config(), training.spec(), device),
      evaluator_(training.config()) {
  if (auto side = MakeSideLearner(training.config())) {
    side_ = std::make_unique<SideThread>(std::move(side));
  }
  int first_env = 0;
  for (const int envs : training.plan().shard_sizes) {
    const ShardPlace place{static_cast<int>(shards_.size()), first_env, envs,
                           training.first_replacement()};
    shards_.push_back(
        std::make_unique<EnvShard>(training.config(), place, training.plan().rollout_steps));
    first_env += envs;
  }
  if (auto& resumed = training.resumed()) {
    learner_.Load(resumed->learner);
    if (side_) side_->Load(resumed->side_learner);
    for (size_t i = 0; i < resumed->shards.size(); ++i) shards_[i]->Load(resumed->shards[i]);
    resumed.reset();
  } else {
    StartFromCheckpoint(training.config(), learner_);
  }
  weights_ = std::make_shared<const std::string>(learner_.Publish());
  const int threads = ThreadsFor(training.config(), shards_.size());
  if (threads > 1) threads_ = std::make_unique<ShardThreads>(shards_, threads);
}

void LocalRunner::Run(const std::function<bool()>& interrupted) {
  training_.StartClock();
  std::ranges::copy(training_.loop().Start(), std::back_inserter(commands_));
  while (!training_.loop().finished() || !commands_.empty()) {
    if (const std::string why = training_.WhyStop(interrupted()); !why.empty()) {
      training_.Say(why);
      Tell(StopRequested{});
    }
    training_.OnTick();
    if (commands_.empty()) {
      WaitForRollout();
      continue;
    }
    const LoopCommand command = std::move(commands_.front());
    commands_.pop_front();
    std::visit([this](const auto& c) { Carry(c); }, command);
  }
  training_.Finish();
}

void LocalRunner::Tell(const LoopEvent& event) {
  std::ranges::copy(training_.loop().On(event), std::back_inserter(commands_));
}

void LocalRunner::Carry(const Collect& command) {
  if (threads_) return threads_->Start(command.shard, Orders());
  training_.Status("rollout");
  Rollout rollout;
  {
    const PhaseTimer timer(training_.times().rollout_s);
    rollout = Orders().Collect(*shards_[command.shard]);
  }
  Keep(command.shard, std::move(rollout));
}

ShardThreads::Orders LocalRunner::Orders() const {
  return {weights_, side_ ? side_->published() : nullptr, training_.loop().progress()};
}

void LocalRunner::WaitForRollout() {
  DRAY_CHECK(threads_ != nullptr);
  training_.Status("rollout");
  ShardThreads::Result result;
  {
    const PhaseTimer timer(training_.times().rollout_s);
    result = threads_->Next();
  }
  if (result.error) std::rethrow_exception(result.error);
  Keep(result.shard, std::move(result.rollout));
}

void LocalRunner::Keep(int shard, Rollout rollout) {
  const Ticket ticket = next_ticket_++;
  const RolloutSummary& summary = rollout.summary;
  const Collected collected{shard, ticket, summary.origin.policy_version, summary.steps,
                            static_cast<int64_t>(summary.news.episodes.size())};
  batches_.emplace(ticket, std::move(rollout));
  Tell(collected);
}

void LocalRunner::Carry(const Update& command) {
  training_.Status("update");
  std::vector<SharedBlob> blobs;
  std::vector<std::string_view> batches;
  for (const Ticket ticket : command.tickets) {
    const auto kept = batches_.extract(ticket);
    DRAY_CHECK(!kept.empty());
    blobs.push_back(kept.mapped().batch);
    batches.push_back(blobs.back()->view());
    training_.OnBatch(kept.mapped().summary);
    if (side_) side_->Add(kept.mapped().summary.news.observed);
  }
  const UpdateReport report = learner_.Update(batches, command.remaining);
  training_.times().transfer_s += report.join_s;
  training_.times().learn_s += report.learn_s;
  {
    const PhaseTimer timer(training_.times().weights_s);
    weights_ = std::make_shared<const std::string>(learner_.Publish());
  }
  training_.OnUpdate(report);
  Tell(Updated{report.version});
  if (!side_) return;
  if (training_.SideUpdateDue(side_->update_epochs())) side_->Update();
  for (const std::string& line : side_->TakeLines()) training_.Say(line);
}

void LocalRunner::Carry(const Evaluate&) {
  training_.Status("evaluation");
  {
    const PhaseTimer timer(training_.times().evaluate_s);
    const auto learned = Orders().learned;
    training_.OnEvaluation(evaluator_.Evaluate(*weights_, learned ? *learned : std::string_view()));
  }
  Tell(Evaluated{});
}

void LocalRunner::Carry(const TakeCheckpoint&) {
  training_.Status("checkpoint");
  {
    const PhaseTimer timer(training_.times().checkpoint_s);
    Training::RoleStates states;
    states.learner = learner_.Save();
    states.weights = *weights_;
    states.torch_file = TorchFile(learner_.nets(), learner_.scaling());
    for (const auto& shard : shards_) states.shards.push_back(shard->Save());
    if (side_) {
      states.side_learner = side_->Save();
      states.learned = *side_->published();
    }
    training_.SaveCheckpoint(std::move(states));
  }
  Tell(Checkpointed{});
}

void LocalRunner::Carry(const Respawn& command) {
  throw Failure("shard ", command.shard, " was lost under the local runner");
}

void LocalRunner::Carry(const RestoreLearner&) {
  throw Failure("the learner was lost under the local runner");
}

}  // namespace dray
