#include "src/loop/local_runner.h"

#include <algorithm>
#include <string_view>
#include <thread>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/loop/start_from.h"
#include "src/nets/torch_export.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr char kRollout[] = "rollout";
constexpr double kPatience_s = 0.5;

int ThreadsFor(const Config& config, const EnvSpec& spec, size_t shards) {
  const int all = shards;
  if (config.scale().threads() > 0) return std::min(config.scale().threads(), all);
  if (spec.shared_service) return all;
  const auto cores = std::max(1u, std::thread::hardware_concurrency());
  return std::min(static_cast<int>(cores), all);
}

}  // namespace

LocalRunner::LocalRunner(Training& training, at::Device device)
    : training_(training),
      learner_(training.config(), training.spec(), device),
      evaluator_(training.config()) {
  training.StartSideLearner(MakeSideLearner(training.config()));
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
    for (size_t i = 0; i < resumed->shards.size(); ++i) shards_[i]->Load(resumed->shards[i]);
    resumed.reset();
    training.RestoreWeightsFile(TorchFile(learner_.nets(), learner_.scaling()));
  } else {
    StartFromCheckpoint(training.config(), learner_);
  }
  weights_ = std::make_shared<const std::string>(learner_.Publish());
  beats_before_.resize(shards_.size());
  const int threads = ThreadsFor(training.config(), training.spec(), shards_.size());
  if (threads > 1) threads_ = std::make_unique<ShardThreads>(shards_, threads);
}

void LocalRunner::Run(const std::function<bool()>& interrupted) {
  training_.Start();
  alarm_.emplace(
      kStallS, [this] { return Sign(); },
      [this](const std::string& line) { training_.recorder().Say(line); });
  while (!training_.loop().over()) {
    training_.OnTick(interrupted());
    if (const auto command = training_.loop().NextCommand()) {
      std::visit([this](const auto& c) { Do(c); }, *command);
    } else {
      WaitForRollout();
    }
  }
  alarm_.reset();
  training_.Finish();
}

void LocalRunner::Enter(const char* phase) {
  phase_ = phase;
  ++phases_;
  training_.recorder().Status(phase);
}

StallAlarm::Sign LocalRunner::Sign() const {
  StallAlarm::Sign sign{phases_, Cat("the run is at its ", phase_.load())};
  int at_work = 0;
  const auto add = [&](const std::string& name, const Heartbeat& heartbeat) {
    sign.moves += heartbeat.beats();
    const std::string phase = heartbeat.phase();
    if (phase != "resting" && ++at_work <= 4) sign.waiting += Cat("; ", name, " at '", phase, "'");
  };
  add("the learner", learner_.heartbeat());
  add("the evaluator", evaluator_.heartbeat());
  for (size_t i = 0; i < shards_.size(); ++i) add(Cat("shard ", i), shards_[i]->heartbeat());
  return sign;
}

void LocalRunner::Do(const Collect& command) {
  beats_before_[command.shard] = shards_[command.shard]->heartbeat().beats();
  if (threads_) {
    const PhaseTimer timer(training_.times().rollout_s);  // waking a thread takes its time, too
    return threads_->Start(command.shard, Inputs());
  }
  Enter(kRollout);
  Rollout rollout;
  {
    const PhaseTimer timer(training_.times().rollout_s);
    rollout = Inputs().Collect(*shards_[command.shard]);
  }
  Keep(std::move(rollout));
}

ShardThreads::Inputs LocalRunner::Inputs() const {
  return {weights_, training_.state().side_model(), training_.coordinator().progress()};
}

void LocalRunner::WaitForRollout() {
  if (!threads_ || threads_->idle()) {
    throw Failure("the run makes no progress: nothing is under way, and nothing is left to begin");
  }
  if (std::string_view(phase_) != kRollout) Enter(kRollout);
  std::optional<ShardThreads::Result> result;
  {
    const PhaseTimer timer(training_.times().rollout_s);
    result = threads_->NextWithin(kPatience_s);
  }
  if (!result) return training_.recorder().Status(RolloutText());
  if (result->error) std::rethrow_exception(result->error);
  Keep(std::move(result->rollout));
}

std::string LocalRunner::RolloutText() const {
  const double beats = training_.plan().rollout_steps + 1;  // of a rollout, at least
  double done = 0;
  for (size_t i = 0; i < shards_.size(); ++i) {
    const auto since = shards_[i]->heartbeat().beats() - beats_before_[i];
    done += std::min(1.0, static_cast<double>(since) / beats);
  }
  return Cat(kRollout, " (", FormatPercent(done / static_cast<double>(shards_.size())), ")");
}

void LocalRunner::Keep(Rollout rollout) {
  const int shard = rollout.summary.origin.shard;
  const Ticket ticket = training_.loop().AddRollouts(shard, {std::move(rollout.summary)});
  batches_.emplace(ticket, std::move(rollout.batch));
}

void LocalRunner::Do(const Update& command) {
  Enter("update");
  std::vector<SharedBlob> blobs;
  std::vector<std::string_view> batches;
  for (const Ticket ticket : command.tickets) {
    const auto kept = batches_.extract(ticket);
    DRAY_CHECK(!kept.empty());
    blobs.push_back(kept.mapped());
    batches.push_back(blobs.back()->view());
  }
  const UpdateReport report = learner_.Update(batches, command.remaining);
  {
    const PhaseTimer timer(training_.times().weights_s);
    weights_ = std::make_shared<const std::string>(learner_.Publish());
  }
  training_.OnUpdate(report);
}

void LocalRunner::Do(const Evaluate&) {
  Enter("evaluation");
  const PhaseTimer timer(training_.times().evaluate_s);
  training_.OnEvaluation(evaluator_.Compare(*weights_, *training_.state().side_model()));
}

void LocalRunner::Do(const TakeCheckpoint&) {
  Enter("checkpoint");
  const PhaseTimer timer(training_.times().checkpoint_s);
  Checkpoint checkpoint;
  checkpoint.learner = learner_.Save();
  checkpoint.weights = *weights_;
  for (const auto& shard : shards_) checkpoint.shards.push_back(shard->Save());
  training_.SaveCheckpoint(std::move(checkpoint), TorchFile(learner_.nets(), learner_.scaling()));
}

void LocalRunner::Do(const Respawn& command) {
  throw Failure("shard ", command.shard, " was lost under the local runner");
}

void LocalRunner::Do(const RestoreLearner&) {
  throw Failure("the learner was lost under the local runner");
}

}  // namespace dray
