#include "src/search/trial_role.h"

#include <unistd.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/search/train_trial.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

// Larger files are not sent; only a trial's networks and metrics are needed.
constexpr uintmax_t kMostFileBytes = 64 << 20;

// The driver's folder may not be visible on this machine.
std::string NewFolder(const std::string& name) {
  std::string path = Cat(fs::temp_directory_path().string(), "/dray-", name, "-XXXXXX");
  if (::mkdtemp(path.data()) == nullptr) throw CannotWrite(path, errno, "TMPDIR");
  return path;
}

}  // namespace

TrialRole::TrialRole(const RoleSettings& settings)
    : DispatchedRole("trial"), config_(settings.config()), folder_(NewFolder(settings.name())) {
  config_.mutable_run()->set_dir(folder_ + "/run");
  AddHeartbeat(heartbeat_);
  Add("train", 1, [this](Arguments arguments, ByteSink& reply) {
    // An actor ends by being killed, without running destructors.
    const struct Remover {
      ~Remover() { role.RemoveFolder(); }
      TrialRole& role;
    } remover{*this};
    reply.Write(Train(arguments[0]));
  });
  Add("stop", 0, [this](Arguments, ByteSink& reply) {
    stopped_ = true;
    reply.Write("");
  });
}

void TrialRole::RemoveFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string TrialRole::Train(std::string_view init_from) {
  if (!init_from.empty()) {
    config_.mutable_run()->set_init_from(folder_ + "/init.ckpt");
    WriteFileAtomically(config_.run().init_from(), init_from, "TMPDIR");
  }
  const auto result = TrainTrial(config_, [this] {
    heartbeat_.Beat("training");
    return stopped_.load();
  });
  if (!result) return "";
  TrialReply reply;
  reply.set_mean_return(result->mean_return);
  reply.set_return_variance(result->return_variance);
  reply.set_episodes(result->episodes);
  reply.set_compliance(result->compliance);
  reply.set_updates(result->updates);
  reply.set_stopped_early(result->stopped_early);
  reply.set_seconds(result->seconds);
  const fs::path run = config_.run().dir();
  reply.set_checkpoint(fs::path(result->checkpoint).lexically_relative(run).string());
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    const std::string name = entry.path().lexically_relative(run).string();
    if (!entry.is_regular_file() || entry.file_size() > kMostFileBytes || name == ".lock") continue;
    TrialReply::File& file = *reply.add_files();
    file.set_name(name);
    file.set_content(ReadFile(entry.path().string()));
  }
  return reply.SerializeAsString();
}

}  // namespace dray
