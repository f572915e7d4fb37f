#include "ray_actors/open_cluster.h"

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ray_actors/connection.h"
#include "ray_actors/python_program.h"

namespace dray_ray {
namespace {

using Open = const dray_cluster* (*)(const dray_cluster_info*, const char*, char*, size_t);

constexpr std::chrono::seconds kFindTime{30};

std::unique_ptr<Connection> connection;

// Returns the address of the cluster that runs on this machine; "" if there is none, or no Python
// that could join it.
std::string RunningCluster() {
  KeyValues report;
  try {
    PythonProgram check("cluster_check.py", {"--format=lines", "--find"});
    check.ReadUntil("address", kFindTime, &report);
  } catch (const std::runtime_error&) {
    return "";
  }
  if (report.Has("address")) return report.Text("address");
  for (const std::string& note : report.All("note")) {
    std::fprintf(stderr, "dray: %s\n", note.c_str());
  }
  return "";
}

std::string RealPath(const std::string& path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) != nullptr ? real : "";
}

std::string ActorLibrary(const std::string& folder) {
  if (const char* named = std::getenv("DRAY_ACTOR_LIBRARY")) return named;
  const std::string beside = folder + "/libdray_actors.so";
  for (const std::string& place : {beside, folder + "/../lib/libdray_actors.so"}) {
    if (!RealPath(place).empty()) return RealPath(place);
  }
  throw std::runtime_error(beside + " not found: build //ray_actors:train, or set " +
                           "DRAY_ACTOR_LIBRARY");
}

const dray_cluster* OpenFound(char* error, size_t error_size) {
  const std::string executable = Executable();
  const std::string folder = executable.substr(0, executable.rfind('/'));
  const std::string library = ActorLibrary(folder);
  // Every node has its own copy of an installed package, so no path is passed on. (Ray would also
  // load every library in that folder as an actor library.)
  const bool installed = access((folder + "/../__init__.py").c_str(), R_OK) == 0;
  const std::string python = installed ? "" : RealPath(PackageFolder());
  Connection::Options options;
  options.files = {library};
  connection = std::make_unique<Connection>(options);

  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    throw std::runtime_error(std::string("cannot load the actor library: ") + dlerror());
  const auto open = reinterpret_cast<Open>(dlsym(loaded, "dray_ray_cluster"));
  if (open == nullptr) throw std::runtime_error(library + " is not Dray's actor library");
  return open(&connection->info(), python.c_str(), error, error_size);
}

}  // namespace

int FindCluster(char* reason, size_t reason_size) {
  const char* named = std::getenv("RAY_ADDRESS");
  if (named != nullptr && *named != '\0') {
    std::snprintf(reason, reason_size, "RAY_ADDRESS is %s", named);
    return 1;
  }
  const std::string running = RunningCluster();
  if (running.empty()) return 0;
  std::snprintf(reason, reason_size, "a cluster runs at %s", running.c_str());
  return 1;
}

const dray_cluster* OpenCluster(char* error, size_t error_size) {
  try {
    return OpenFound(error, error_size);
  } catch (const std::exception& failure) {
    std::snprintf(error, error_size, "%s", failure.what());
    return nullptr;
  }
}

void CloseCluster(bool ended_well) {
  if (connection != nullptr && ended_well) connection->DiscardLogs();
  connection.reset();
}

}  // namespace dray_ray
