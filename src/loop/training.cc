#include "src/loop/training.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/installation.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/loop/evaluator.h"
#include "src/loop/loop_settings.h"
#include "src/output/format.h"
#include "src/output/tensorboard_sink.h"

namespace dray {
namespace {

// What may change between a checkpoint and the run that goes on from it.
bool MayChange(const std::string& path, const Task& task) {
  for (const char* prefix :
       {"run.", "evaluation.", "train.epochs", "train.episodes", "train.total_steps",
        "train.duration_s", "train.early_stop", "ppo.on_divergence", "scale.threads",
        "scale.learner_threads", "scale.learner_device", "scale.envs_per_shard",
        "scale.num_workers", "ray."}) {
    if (path.starts_with(prefix)) return true;
  }
  return task.service && path == Cat("env.", task.name, ".", task.service->device_setting);
}

// A policy that the settings carry has a hundred thousand letters.
std::string Shortened(const std::string& text) {
  constexpr size_t kMost = 80;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

// A setting that changed since the checkpoint and may not is an Error.
void CheckResumable(const Checkpoint& checkpoint, const Config& config,
                    const decltype(Training::Options::where_set)& where_set) {
  Config trained_with;
  LoadYamlText(checkpoint.config_yaml, "the checkpoint's config", &trained_with);
  for (const ChangedKey& key : ChangedKeys(trained_with, config)) {
    if (MayChange(key.path, TaskOf(config.env()))) continue;
    throw UsageError(where_set(key.path), ": ", key.path, " changed since the checkpoint, from ",
                     Shortened(key.before), " to ", Shortened(key.after),
                     ": change it back, or start a new run in another --run-dir");
  }
}

// Less the run's own name, and what is no setting of a training.
std::vector<std::pair<std::string, std::string>> SettingsToCompare(const Config& config) {
  auto settings = FlatSettings(config);
  std::erase_if(settings, [](const auto& setting) {
    return setting.first == "run.dir" || setting.first.starts_with("search.");
  });
  return settings;
}

RunHeader HeaderOf(const Training& training, const std::string& device) {
  const TrainConfig& train = training.config().train();
  const RunPlan& plan = training.plan();
  RunHeader header;
  header.environment = training.spec().name;
  const PpoConfig& ppo = training.config().ppo();
  if (ppo.policy_coefficient() == 0 && ppo.appraisal_coefficient() > 0) {
    header.method = "by regression on simulated futures";
  }
  header.num_envs = plan.num_envs;
  header.num_shards = std::ssize(plan.shard_sizes);
  header.runner = training.config().run().runner() == RunConfig::RAY ? "ray" : "local";
  header.device = device;
  header.episodes = train.epochs() > 0 || train.total_steps() > 0 ? 0 : train.episodes();
  header.total_steps = train.epochs() > 0 ? 0 : train.total_steps();
  header.epochs = plan.epochs;
  header.epoch_episodes = training.spec().fixed_length ? plan.num_envs : 0;
  header.epoch_steps_per_env = plan.rollout_steps;
  header.seed = train.seed();
  header.run_dir = training.config().run().dir();
  header.resumed_from_epoch = training.coordinator().counters().epochs;
  if (const auto yardstick = YardstickOf(training.config().env())) {
    header.rival = yardstick->rival_name;
    header.return_unit = yardstick->unit;
  }
  return header;
}

CheckpointStore::Policy KeepingOf(const RunConfig& run) {
  return {run.keep_checkpoints(), run.milestone_interval()};
}

}  // namespace

Training::Training(const Options& options)
    : config_(CarryingFiles(options.config)),
      folder_(config_, options.resume),
      spec_(SpecOf(config_.env())),
      plan_(MakePlan(config_, spec_, options.sharding)),
      checkpoints_(folder_.checkpoints(), KeepingOf(config_.run())),
      state_(config_, spec_, plan_, LoopSettingsOf(config_, plan_)) {
  config_.mutable_run()->set_dir(folder_.path());
  std::vector<std::string> lines;
  if (options.resume) lines = Resume(options);
  SetTimeLimits(options.duration_s);
  WriteFileAtomically(folder_.config_file(), Cat("# Dray ", kVersion, "\n", DumpYaml(config_)));
  for (const std::string& note : spec_.notes) lines.push_back("Note: " + note);
  for (const std::string& warning : plan_.warnings) lines.push_back("Note: " + warning);
  std::vector<RunRecorder::NamedSink> sinks;
  auto metrics =
      std::make_unique<JsonlSink>(folder_.metrics_file(), resumed_ ? resumed_->epoch : -1);
  metrics_ = metrics.get();
  sinks.push_back({folder_.metrics_file(), std::move(metrics)});
  if (config_.run().tensorboard()) {
    const int64_t steps = coordinator().counters().total_steps;
    auto sink = std::make_unique<TensorBoardSink>(
        folder_.path(), options.resume ? std::optional(steps) : std::nullopt);
    sink->WriteSettings(SettingsToCompare(config_));
    const std::string path = sink->path();
    sinks.push_back({path, std::move(sink)});
  }
  RunHeader header = HeaderOf(*this, options.device);
  header.duration_s = limit_here_s_ > 0 ? limit_here_s_ : length_s_;
  auto terminal = std::make_unique<TerminalSink>(*options.out, options.style, std::move(header));
  if (resumed_) {
    for (const Report& report : ReadReports(folder_.metrics_file())) terminal->Remember(report);
  }
  recorder_ = std::make_unique<RunRecorder>(config_, state_, limit_here_s_, std::move(terminal),
                                            std::move(sinks));
  recorder_->Start();  // for the status while roles start; Start begins anew when they are ready
  recorder_->Say(lines);
  if (!config_.run().wandb().empty()) {
    tracker_.emplace(WandbCommand(folder_.path(), config_.run().wandb()),
                     folder_.path() + "/wandb.log",
                     [this](const std::string& line) { recorder_->Say(line); });
  }
}

std::vector<std::string> Training::Resume(const Options& options) {
  if (checkpoints_.empty()) {
    return {Cat("No checkpoint yet in ", folder_.checkpoints(), ": starting at the beginning")};
  }
  CheckpointStore::Found found = checkpoints_.LoadNewest([&](const Checkpoint& checkpoint) {
    CheckResumable(checkpoint, config_, options.where_set);
    state_.Load(checkpoint);
  });
  checkpoints_.Repair(found);
  resumed_ = std::move(found.checkpoint);
  saved_epoch_ = resumed_->epoch;
  std::vector<std::string> lines;
  for (const std::string& reason : found.damaged) {
    lines.push_back(
        Cat(reason, ": going on from the newest good checkpoint, epoch ", resumed_->epoch));
  }
  if (resumed_->shards.size() != plan_.shard_sizes.size()) {
    lines.push_back(Cat("The checkpoint has ", FormatCounted(std::ssize(resumed_->shards), "shard"),
                        ", this run ", plan_.shard_sizes.size(),
                        ": environments begin new episodes"));
    resumed_->shards.clear();
    first_replacement_ = resumed_->epoch + 1;
  }
  return lines;
}

void Training::StartSideLearner(std::unique_ptr<SideLearner> learner) {
  state_.StartSideLearner(std::move(learner));
  if (resumed_) state_.LoadSideLearner(*resumed_);
}

void Training::Start() {
  state_.StartClock();
  since_checkpoint_.Restart();
  since_report_.Restart();
  since_evaluation_.Restart();
  time_is_up_ = TimeShare() >= 1;
  PassTime();
  recorder_->Start();
  loop().Start();
}

void Training::SetTimeLimits(std::optional<double> here_s) {
  const TrainConfig& train = config_.train();
  limit_here_s_ = here_s.value_or(train.duration_s());
  if (train.duration_s() == 0 || plan_.epochs > 0 || train.episodes() > 0) return;
  const double until_s = (resumed_ ? resumed_->elapsed_s : 0) + here_s.value_or(0);
  length_s_ = std::max(train.duration_s(), until_s);
  if (!here_s || until_s >= length_s_) limit_here_s_ = 0;
}

double Training::TimeShare() const { return length_s_ > 0 ? state_.elapsed_s() / length_s_ : 0; }

void Training::PassTime() {
  const double share = TimeShare();
  loop().coordinator().SetTimeShare(share);
  if (share >= 1 && !std::exchange(time_is_up_, true) && !coordinator().finished()) {
    recorder_->Say("Time is up: finishing after this epoch");
  }
}

void Training::OnTick(bool interrupted) {
  PassTime();
  recorder_->Say(state_.CountOthersLost());
  if (tracker_) {
    const int64_t failures = tracker_->failures();
    tracker_->Look();
    if (tracker_->failures() > failures) recorder_->failed_writes().Count();
  }
  if (const std::string why = WhyStop(interrupted); !why.empty()) {
    recorder_->Say(why);
    loop().Tell(StopRequested{});
  }
  Coordinator& coordinator = loop().coordinator();
  const auto is_due = [](double interval_s, const Stopwatch& since) {
    return interval_s > 0 && since.seconds() > interval_s;
  };
  if (is_due(config_.run().recovery_interval_s(), since_checkpoint_)) {
    coordinator.RequestCheckpoint();
  }
  if (is_due(config_.evaluation().interval_s(), since_evaluation_)) {
    coordinator.RequestEvaluation();  // with a report
    since_evaluation_.Restart();
    since_report_.Restart();
  }
  if (is_due(config_.run().log_interval_s(), since_report_)) {
    coordinator.RequestReport();
    since_report_.Restart();
  }
}

// Empty: it should not, or is stopping already.
std::string Training::WhyStop(bool interrupted) const {
  if (coordinator().stopping() || coordinator().finished()) return "";
  if (interrupted) {
    return "Stopping after this epoch, with a checkpoint; press Ctrl-C again to quit at once";
  }
  const bool time_is_up = limit_here_s_ > 0 && state_.seconds_here() >= limit_here_s_;
  return time_is_up ? "Time is up: stopping after this epoch" : "";
}

void Training::OnUpdate(const UpdateReport& report) {
  times().transfer_s += report.merge_s;
  times().learn_s += report.learn_s;
  recorder_->Say(state_.OnUpdate(report));
}

void Training::OnEvaluation(const EvaluationReport& report) {
  recorder_->OnEvaluation(report);
  if (state_.OnEvaluation(report)) {
    new_best_ = true;
    loop().coordinator().RequestCheckpoint();
  }
  loop().Tell(Evaluated{});
}

void Training::SaveCheckpoint(Checkpoint checkpoint, const std::string& torch_file) {
  FollowFolder();
  state_.SaveInto(checkpoint);
  if (ReturnsToAnEarlierOne() && !IsLast()) {
    if (std::exchange(new_best_, false)) unsaved_best_ = std::move(checkpoint);
    since_checkpoint_.Restart();
    loop().Tell(Checkpointed{});
    return;
  }
  FailedWrites& writes = recorder_->failed_writes();
  // The reports up to here are to be there when the run goes on from here.
  writes.Try(folder_.metrics_file(), [this] { metrics_->Sync(); });
  const auto write = [&] {
    try {
      save_error_.clear();
      WriteCheckpoint(checkpoint, torch_file);
    } catch (const Error& error) {
      save_error_ = error.what();
      if (!FollowFolder()) throw;
      WriteCheckpoint(checkpoint, torch_file);  // the folder was moved meanwhile
      save_error_.clear();
    }
  };
  if (config_.run().stop_on_failed_save()) {
    write();
  } else {
    writes.Try(folder_.checkpoints(), write, [this] {
      const std::string kept = SavedEpoch() ? Cat("keeps the checkpoint of epoch ", *SavedEpoch())
                                            : std::string("has no checkpoint");
      return Cat("the run continues, ", kept, ", and will try again");
    });
  }
  if (std::exchange(new_best_, false) && !save_error_.empty()) {
    unsaved_best_ = std::move(checkpoint);
  }
  since_checkpoint_.Restart();
  loop().Tell(Checkpointed{});
}

bool Training::ReturnsToAnEarlierOne() const {
  return state_.looks_diverged() && config_.ppo().on_divergence() != PpoConfig::WARN;
}

bool Training::IsLast() const { return coordinator().stopping() || coordinator().progress() >= 1; }

void Training::WriteCheckpoint(const Checkpoint& checkpoint, const std::string& torch_file) {
  if (unsaved_best_ && !new_best_) checkpoints_.SaveBest(*unsaved_best_);
  unsaved_best_.reset();
  const int interval = config_.run().save_interval();
  const bool numbered =
      IsLast() || (interval > 0 && checkpoint.epoch % interval < config_.ppo().update_interval());
  numbered ? checkpoints_.SaveNumbered(checkpoint) : checkpoints_.SaveRecovery(checkpoint);
  saved_epoch_ = checkpoint.epoch;
  // What follows is made up for by the next process when this one is killed here.
  if (new_best_) checkpoints_.SaveBest(checkpoint);
  WriteFileAtomically(folder_.weights_file(), torch_file);
}

void Training::RestoreWeightsFile(const std::string& torch_file) {
  recorder_->failed_writes().Try(folder_.weights_file(), [&] {
    std::error_code error;
    const bool exists = std::filesystem::exists(folder_.weights_file(), error);
    if (exists && ReadFile(folder_.weights_file()) == torch_file) return;
    WriteFileAtomically(folder_.weights_file(), torch_file);
  });
}

bool Training::FollowFolder() {
  if (!folder_.Follow()) return false;
  config_.mutable_run()->set_dir(folder_.path());
  checkpoints_ = CheckpointStore(folder_.checkpoints(), KeepingOf(config_.run()));
  recorder_->OnFolder(folder_.path());
  return true;
}

void Training::Finish() {
  FollowFolder();
  recorder_->Finish();
  if (save_error_.empty()) return;
  const std::string left =
      SavedEpoch() ? Cat("the newest is of epoch ", *SavedEpoch(), ": ", CommandLine("train"),
                         " --resume ", ShellWord(folder_.path()), " continues from there")
                   : Cat("there is none in ", folder_.path(),
                         ": what the run learned is lost, unless the folder was copied elsewhere");
  throw Failure("the run's last checkpoint was not written: ", save_error_, "; ", left);
}

std::optional<int64_t> Training::SavedEpoch() const {
  return checkpoints_.empty() ? std::nullopt : saved_epoch_;  // somebody may have removed it
}

}  // namespace dray
