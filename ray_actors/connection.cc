#include "ray_actors/connection.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "ray_actors/python_program.h"
#include "ray_actors/ray_loss.h"

namespace dray_ray {
namespace {

// The programs have time limits of their own; these are for a machine that has come to a halt.
constexpr std::chrono::seconds kCheckTime{90};
constexpr std::chrono::seconds kStartTime{120};

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
  return joined;
}

Resources ReadResources(const KeyValues& report, const std::string& prefix) {
  Resources resources;
  resources.cpus = report.Number(prefix + "_cpus");
  resources.gpus = report.Number(prefix + "_gpus");
  resources.memory_bytes = static_cast<int64_t>(report.Number(prefix + "_memory_bytes"));
  resources.object_store_bytes =
      static_cast<int64_t>(report.Number(prefix + "_object_store_bytes"));
  return resources;
}

ClusterInfo ReadInfo(const KeyValues& report) {
  ClusterInfo info;
  info.address = report.Text("address");
  info.dashboard_url = report.Text("dashboard_url");
  info.temp_dir = report.Text("temp_dir");
  info.ray_version = report.Text("ray_version");
  info.nodes = static_cast<int>(report.Number("nodes"));
  info.total = ReadResources(report, "total");
  info.available = ReadResources(report, "available");
  info.wants_token = report.Text("auth") == "token";
  return info;
}

bool RayIsLoaded() {
  void* library = dlopen("libray_api.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

constexpr char kStartedAgain[] = "DRAY_STARTED_AGAIN";

void StartAgain() {
  if (getenv(kStartedAgain) == nullptr) {
    setenv(kStartedAgain, "1", /*overwrite=*/1);
    std::vector<std::string> words;
    std::ifstream command("/proc/self/cmdline");
    for (std::string word; std::getline(command, word, '\0');) words.push_back(word);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(&word[0]);
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv("/proc/self/exe", argv.data());
  }
  throw ConnectionError(std::string("the cluster wants RAY_AUTH_MODE=") + getenv("RAY_AUTH_MODE") +
                        " in the environment before the program starts: set it");
}

// Ray's C++ client sends its token only in this mode, and in this mode wants one of whoever calls
// it.
void SetAuthMode(bool wants_token) {
  const char* given = getenv("RAY_AUTH_MODE");
  const std::string before = given == nullptr ? "disabled" : given;
  const std::string wanted = wants_token ? "token" : "disabled";
  setenv("RAY_AUTH_MODE", wanted.c_str(), /*overwrite=*/1);
  if (before != wanted && RayIsLoaded()) StartAgain();
}

}  // namespace

Connection::Connection(const Options& options) {
  try {
    Check(options, "");
    if (info_.address.empty()) {
      SetAuthMode(/*wants_token=*/true);
      StartOwnHead(options);
    }
  } catch (const ConnectionError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ConnectionError(error.what());
  }
  SetAuthMode(info_.wants_token);
  unsetenv(kStartedAgain);
  SayWhenRayIsLost("the Ray cluster at " + info_.address + " has died, and this run with it: see " +
                   info_.temp_dir + "/session_latest/logs");
}

Connection::~Connection() {
  SayWhenRayIsLost("");
  if (own_head_ != nullptr) own_head_->Tell("done\n");
}

void Connection::StartOwnHead(const Options& options) {
  if (!options.quiet) {
    std::fprintf(stderr, "dray: no Ray cluster runs here; starting one for this run\n");
  }
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
  if (!own_head_->ReadUntil("ready", kStartTime, &started)) {
    throw ConnectionError("a Ray head of our own was not up after " +
                          std::to_string(kStartTime.count()) + " s: is the machine overloaded?");
  }
  if (!started.Has("ready")) {
    const std::string error = started.Text("error");
    throw ConnectionError(error.empty() ? "a Ray head of our own ended while it started" : error);
  }
  Check(options, started.Text("address"));
  info_.own_head = true;
  // Ray names a session after the process that started it.
  const std::string ending = "_" + std::to_string(pid);
  if (session_.size() < ending.size() ||
      session_.compare(session_.size() - ending.size(), ending.size(), ending) != 0) {
    throw ConnectionError("another Ray (" + session_ + ") answers at " + info_.address +
                          " in place of the one just started: end it");
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
    throw ConnectionError("the check of the cluster gave no answer in " +
                          std::to_string(kCheckTime.count()) + " s: is the machine overloaded?");
  }
  if (report.Has("error")) throw ConnectionError(report.Text("error"));
  if (!report.Has("found")) {
    throw ConnectionError("the check of the cluster ended without an answer: run scripts/setup.sh");
  }
  if (!options.quiet && getenv(kStartedAgain) == nullptr) {
    for (const std::string& note : report.All("note")) {
      std::fprintf(stderr, "dray: %s\n", note.c_str());
    }
  }
  info_ = ReadInfo(report);
  session_ = report.Text("session");
}

}  // namespace dray_ray
