#include "ray_actors/connection.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "ray_actors/head_watch.h"
#include "ray_actors/python_program.h"
#include "ray_actors/ray_loss.h"

namespace dray_ray {
namespace {

// The programs have their own time limits; these are for a machine that has come to a halt.
constexpr std::chrono::seconds kCheckTime{90};
constexpr std::chrono::seconds kStartTime{300};
constexpr std::chrono::seconds kQueueTime{3600};
// Time a head of our own needs to end after one of its processes has died.
constexpr std::chrono::seconds kDeathTime{3};

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
  return joined;
}

dray_cluster_info ReadInfo(const KeyValues& report) {
  dray_cluster_info info{};
  std::snprintf(info.address, sizeof(info.address), "%s", report.Text("address").c_str());
  std::snprintf(info.dashboard, sizeof(info.dashboard), "%s", report.Text("dashboard_url").c_str());
  info.nodes = report.Number("nodes");
  info.cpus = report.Number("total_cpus");
  info.gpus = report.Number("total_gpus");
  info.free_cpus = report.Number("available_cpus");
  info.free_gpus = report.Number("available_gpus");
  info.memory_bytes = report.Number("total_memory_bytes");
  info.object_store_bytes = report.Number("total_object_store_bytes");
  return info;
}

// Ray's C++ client sends its token only in mode "token", and then also requires one from its
// callers.
void SetAuthMode(bool wants_token) {
  setenv("RAY_AUTH_MODE", wants_token ? "token" : "disabled", /*overwrite=*/1);
}

std::string LossLine(const std::string& address, const std::string& session) {
  return "the Ray cluster at " + address + " has died, and this run with it: see " + session +
         "/logs/raylet.out";
}

}  // namespace

Connection::Connection(const Options& options) {
  try {
    Check(options, "");
    if (info_.address[0] == '\0') {
      SetAuthMode(/*wants_token=*/true);
      StartOwnHead(options);
    }
  } catch (const ConnectionError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ConnectionError(error.what());
  }
  SetAuthMode(wants_token_);
  SayWhenRayIsLost(LossLine(info_.address, temp_dir_ + "/" + session_));
}

Connection::~Connection() {
  SayWhenRayIsLost("");
  head_watch_.reset();
}

void Connection::DiscardLogs() {
  if (own_head_ != nullptr) own_head_->Tell("done\n");
}

void Connection::StartOwnHead(const Options& options) {
  std::fprintf(stderr, "dray: no Ray cluster is running here; starting one for this run\n");
  std::vector<std::string> arguments = {"--until-stdin-closes"};
  if (options.own_head_cpus > 0) {
    arguments.push_back("--num-cpus=" + std::to_string(options.own_head_cpus));
  }
  if (options.own_head_object_store_gb > 0) {
    arguments.push_back("--object-store-gb=" + std::to_string(options.own_head_object_store_gb));
  }
  own_head_ = std::make_unique<PythonProgram>("ray_node.py", arguments);
  const pid_t pid = own_head_->pid();
  KeyValues started;
  own_head_->ReadUntil("queued", kStartTime, &started);
  if (started.Number("queued") > 0) {
    std::fprintf(stderr, "dray: waiting for other Ray heads to start on this machine\n");
    own_head_->ReadUntil("starting", kQueueTime, &started);
  }
  if (!own_head_->ReadUntil("ready", kStartTime, &started)) {
    throw ConnectionError("the run's own Ray head was not ready after " +
                          std::to_string(kStartTime.count()) + " s: is the machine overloaded?");
  }
  if (!started.Has("ready")) {
    const std::string error = started.Text("error");
    throw ConnectionError(error.empty() ? "the run's own Ray head exited during start-up" : error);
  }
  const std::string loss =
      LossLine(started.Text("address"), started.Text("temp_dir") + "/session_latest");
  head_watch_ = std::make_unique<HeadWatch>(own_head_->output(), loss);
  try {
    Check(options, started.Text("address"));
  } catch (const ConnectionError&) {
    if (own_head_->EndsWithin(kDeathTime)) throw ConnectionError(loss);
    throw;
  }
  // Ray names a session after the process that started it.
  const std::string ending = "_" + std::to_string(pid);
  if (session_.size() < ending.size() ||
      session_.compare(session_.size() - ending.size(), ending.size(), ending) != 0) {
    throw ConnectionError("another Ray (" + session_ + ") answers at " + info_.address +
                          " instead of the one just started: stop it");
  }
}

void Connection::Check(const Options& options, const std::string& address) {
  std::vector<std::string> arguments = {"--format=lines", "--driver",
                                        "--files=" + Joined(options.files)};
  if (!address.empty()) arguments.push_back("--address=" + address);
#ifdef DRAY_RAY_VERSION
  arguments.push_back("--expect-version=" DRAY_RAY_VERSION);
#endif
  PythonProgram check("cluster_check.py", arguments);
  KeyValues report;
  if (!check.ReadUntil("error", kCheckTime, &report)) {
    throw ConnectionError("the cluster check did not answer within " +
                          std::to_string(kCheckTime.count()) + " s: is the machine overloaded?");
  }
  if (report.Has("error")) throw ConnectionError(report.Text("error"));
  if (!report.Has("found")) {
    throw ConnectionError("the cluster check exited without an answer: run scripts/setup.sh");
  }
  for (const std::string& note : report.All("note")) {
    std::fprintf(stderr, "dray: %s\n", note.c_str());
  }
  info_ = ReadInfo(report);
  temp_dir_ = report.Text("temp_dir");
  wants_token_ = report.Text("auth") == "token";
  session_ = report.Text("session");
}

}  // namespace dray_ray
