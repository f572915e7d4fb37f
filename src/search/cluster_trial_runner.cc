#include "src/search/cluster_trial_runner.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/cluster/roles/parse.h"
#include "src/output/format.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

// Longest wait before checking whether the user wants to stop.
constexpr double kRestS = 0.2;
// Replies are only fetched once they are ready.
constexpr double kFetchTimeoutS = 60;
// One training, one heartbeat and one stop at a time.
constexpr int kConcurrency = 3;
// Time that cancelled trainings get to remove their files.
constexpr double kStopS = 5;

// File names come from an actor and must stay within the folder.
void WriteFiles(const TrialReply& reply, const std::string& folder) {
  for (const TrialReply::File& file : reply.files()) {
    const fs::path name = fs::path(file.name()).lexically_normal();
    if (name.is_absolute() || name.string().starts_with("..")) {
      throw Failure("a trial sent a file outside of its folder: ", file.name());
    }
    const fs::path path = fs::path(folder) / name;
    fs::create_directories(path.parent_path());
    WriteFileAtomically(path.string(), file.content());
  }
}

TrialResult ResultOf(const TrialReply& reply, const std::string& folder) {
  TrialResult result;
  result.mean_return = reply.mean_return();
  result.return_variance = reply.return_variance();
  result.episodes = reply.episodes();
  result.compliance = reply.compliance();
  result.updates = reply.updates();
  result.stopped_early = reply.stopped_early();
  result.seconds = reply.seconds();
  const std::string checkpoint = Cat(folder, "/", reply.checkpoint());
  if (fs::is_regular_file(checkpoint)) result.checkpoint = checkpoint;
  return result;
}

}  // namespace

ClusterTrialRunner::Share ClusterTrialRunner::ShareOf(const Config& config,
                                                      const Cluster::Info& info, int parallel) {
  Share share;
  const double cpus = (info.free_cpus > 0 ? info.free_cpus : info.cpus) / parallel;
  const int threads = config.scale().threads();
  share.threads = threads > 0 ? threads : std::max<int>(1, std::floor(cpus));
  // Ray counts in ten-thousandths.
  share.cpus =
      std::min<double>(share.threads, cpus >= 1 ? std::floor(cpus) : std::floor(1e4 * cpus) / 1e4);
  if (config.run().device() == CUDA) {
    share.gpus = std::min(1.0, std::floor(1e4 * info.gpus / parallel) / 1e4);
  }
  return share;
}

ClusterTrialRunner::ClusterTrialRunner(Cluster& cluster, Share share, TrialConfig config_of,
                                       Say say)
    : cluster_(cluster), share_(share), config_of_(std::move(config_of)), say_(std::move(say)) {}

ClusterTrialRunner::Running ClusterTrialRunner::Begin(const Trial& trial) const {
  Running running{&trial, config_of_(trial), nullptr, nullptr, nullptr};
  // Left there by an interrupted search.
  fs::remove_all(running.config.run().dir());
  Cluster::Request request;
  request.kind = "trial";
  request.name = TrialFolderName(trial.number);
  request.cpus = share_.cpus;
  request.gpus = share_.gpus;
  request.concurrency = kConcurrency;
  running.actor = std::make_unique<ClusterActor>(cluster_, request);
  Start(running);
  return running;
}

void ClusterTrialRunner::Start(Running& running) const {
  RoleSettings settings;
  *settings.mutable_config() = running.config;
  settings.mutable_config()->mutable_run()->clear_init_from();  // its bytes are sent along
  ScaleConfig& scale = *settings.mutable_config()->mutable_scale();
  scale.set_threads(share_.threads);
  if (scale.learner_threads() == 0) scale.set_learner_threads(share_.threads);
  running.actor->Start(settings);
  running.actor->BeginWork("train");
  const std::string& init_from = running.config.run().init_from();
  running.heartbeat = nullptr;
  running.reply =
      running.actor->Call("train", {init_from.empty() ? std::string() : ReadFile(init_from)});
}

void ClusterTrialRunner::Evaluate(std::span<const Trial> trials, const Finished& finished,
                                  const Interrupted& interrupted) {
  // Ends the actors however this function is left.
  struct Actors : std::vector<Running> {
    explicit Actors(const ClusterTrialRunner& runner) : runner(runner) {}
    ~Actors() { runner.End(*this); }
    const ClusterTrialRunner& runner;
  } all(*this);
  for (const Trial& trial : trials) all.push_back(Begin(trial));
  Stopwatch since_heartbeat;
  const auto under_way = [&] {
    return std::ranges::any_of(all, [](const Running& one) { return one.reply != nullptr; });
  };
  while (under_way() && !interrupted()) {
    Wait(all);
    const bool due = since_heartbeat.seconds() > all.front().config.ray().heartbeat_interval_s();
    if (due) since_heartbeat.Restart();
    for (Running& one : all) {
      if (one.reply == nullptr) continue;
      try {
        Look(one, finished);
        if (one.reply != nullptr) LookAtHeartbeat(one, due);
      } catch (const ActorLost& lost) {
        Lose(one, lost.what());
      }
    }
  }
}

void ClusterTrialRunner::Wait(const std::vector<Running>& all) const {
  std::vector<Cluster::ObjectPtr> replies;
  for (const Running& one : all) {
    if (one.reply != nullptr) replies.push_back(one.reply);
  }
  cluster_.Wait(replies, kRestS);
}

void ClusterTrialRunner::End(std::vector<Running>& all) const {
  try {
    for (Running& one : all) {
      if (one.reply != nullptr) one.heartbeat = one.actor->Call("stop", {});
    }
    for (const Stopwatch watch; watch.seconds() < kStopS;) {
      for (Running& one : all) {
        if (one.reply != nullptr && cluster_.Wait({one.reply}, 0)[0]) one.reply = nullptr;
      }
      if (std::ranges::all_of(all, [](const Running& one) { return one.reply == nullptr; })) break;
      Wait(all);
    }
  } catch (const std::exception&) {
    // They are ended anyway.
  }
  for (Running& one : all) one.actor->End();
}

void ClusterTrialRunner::Look(Running& running, const Finished& finished) const {
  if (!cluster_.Wait({running.reply}, 0)[0]) return;
  const auto reply = Parsed<TrialReply>(cluster_.Fetch(*running.reply, kFetchTimeoutS));
  running.reply = nullptr;
  running.actor->End();
  const std::string& folder = running.config.run().dir();
  WriteFiles(reply, folder);
  finished(*running.trial, ResultOf(reply, folder));
}

void ClusterTrialRunner::LookAtHeartbeat(Running& running, bool due) const {
  if (running.heartbeat != nullptr && cluster_.Wait({running.heartbeat}, 0)[0]) {
    running.actor->OnHeartbeat(cluster_.Fetch(*running.heartbeat, kFetchTimeoutS));
    running.heartbeat = nullptr;
  }
  if (due && running.heartbeat == nullptr) running.heartbeat = running.actor->Call("heartbeat", {});
  const double still_s = running.actor->still_for_s();
  // An actor that waits for room on the cluster is not hanging.
  if (running.actor->greeted() && still_s > running.config.ray().hang_timeout_s()) {
    throw ActorLost(Cat("it has not moved for ", FormatDuration(still_s)));
  }
}

void ClusterTrialRunner::Lose(Running& running, const std::string& why) const {
  const std::string name = TrialFolderName(running.trial->number);
  const int most = running.config.ray().max_restarts();
  for (;;) {
    if (running.actor->starts() > most) {
      throw Failure(name, " was lost ", running.actor->starts(), " times (", why,
                    "): more than ray.max_restarts ", most, " allows");
    }
    say_(Cat(name, " was lost (", why, "); restarting it"));
    try {
      return Start(running);
    } catch (const ActorLost&) {
      // The next heartbeat may succeed.
    }
  }
}

}  // namespace dray
