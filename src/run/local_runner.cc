#include "src/run/local_runner.h"

#include <algorithm>
#include <thread>

#include "src/base/error.h"
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
    const ShardPlace place{static_cast<int>(shards_.size()), first_env, envs};
    shards_.push_back(
        std::make_unique<EnvShard>(training.config(), place, training.plan().rollout_steps));
    first_env += envs;
  }
  if (auto& resumed = training.resumed()) {
    if (resumed->shards.size() != shards_.size()) {
      throw Failure("the checkpoint has ", resumed->shards.size(), " shards, the config ",
                    shards_.size());
    }
    learner_.Load(resumed->learner);
    if (side_) side_->Load(resumed->side_learner);
    for (size_t i = 0; i < shards_.size(); ++i) shards_[i]->Load(resumed->shards[i]);
    resumed.reset();
  }
  weights_ = std::make_shared<const std::string>(learner_.Publish());
  const int threads = ThreadsFor(training.config(), shards_.size());
  if (threads > 1) threads_ = std::make_unique<ShardThreads>(shards_, threads);
}

void LocalRunner::Run(const std::function<bool()>& interrupted) {
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
  SharedBlob batch;
  {
    const PhaseTimer timer(training_.times().rollout_s);
    batch = Orders().Collect(*shards_[command.shard]);
  }
  Keep(command.shard, std::move(batch));
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
  Keep(result.shard, std::move(result.batch));
}

void LocalRunner::Keep(int shard, SharedBlob batch) {
  const Ticket ticket = next_ticket_++;
  const BatchReader reader(batch->view());
  batches_.emplace(ticket, std::move(batch));
  Tell(Collected{shard, ticket, reader.origin().policy_version, reader.shape().samples(),
                 static_cast<int64_t>(reader.episodes().size())});
}

void LocalRunner::Carry(const Update& command) {
  training_.Status("update");
  std::vector<SharedBlob> blobs;
  std::vector<std::string_view> batches;
  for (const Ticket ticket : command.tickets) {
    const auto kept = batches_.extract(ticket);
    DRAY_CHECK(!kept.empty());
    blobs.push_back(kept.mapped());
    batches.push_back(blobs.back()->view());
    const BatchReader batch(batches.back());
    training_.OnBatch(batch);
    if (side_) side_->Add(batch.news().observed);
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
    states.torch_file = TorchFile(learner_.nets(), PolicyWeights::FromBytes(*weights_).scaling);
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
