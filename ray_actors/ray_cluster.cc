#include "ray_actors/ray_cluster.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "ray_actors/joining.h"

namespace dray_ray {
namespace {

using Clock = std::chrono::steady_clock;

// Longest wait before checking that Ray is still alive.
constexpr double kSlice_s = 0.25;

std::unordered_map<std::string, double> ResourceMap(double cpus, double gpus) {
  std::unordered_map<std::string, double> resources;
  if (cpus > 0) resources["CPU"] = cpus;
  if (gpus > 0) resources["GPU"] = gpus;
  return resources;
}

ray::PlacementStrategy Strategy(const std::string& name) {
  if (name == "PACK") return ray::PlacementStrategy::PACK;
  if (name == "SPREAD") return ray::PlacementStrategy::SPREAD;
  if (name == "STRICT_PACK") return ray::PlacementStrategy::STRICT_PACK;
  if (name == "STRICT_SPREAD") return ray::PlacementStrategy::STRICT_SPREAD;
  throw std::invalid_argument("there is no placement strategy " + name +
                              ": PACK, SPREAD, STRICT_PACK or STRICT_SPREAD");
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

std::string ThisLibrary() {
  Dl_info found;
  if (dladdr(reinterpret_cast<void*>(&ThisLibrary), &found) == 0) {
    throw std::runtime_error("cannot find the path of the actor library");
  }
  char* real = realpath(found.dli_fname, nullptr);
  const std::string path = real == nullptr ? found.dli_fname : real;
  std::free(real);
  return path;
}

template <typename Value>
ray::internal::TaskArg CreationArgument(const Value& value) {
  ray::internal::TaskArg argument;
  argument.buf = ray::internal::Serializer::Serialize(value);
  return argument;
}

}  // namespace

void RayCluster::CheckConnected() const {
  if (watch_ == nullptr) throw std::logic_error("not connected to a cluster");
  watch_->Check();
}

template <typename Body>
auto RayCluster::AskRay(const Body& body) const {
  CheckConnected();
  try {
    return body();
  } catch (const std::exception&) {
    watch_->Check();
    throw;
  }
}

void RayCluster::Connect(const std::string& run_name, dray_cluster_info* info) {
  const size_t slash = run_name.find('/');
  run_name_ = slash == std::string::npos ? run_name : run_name.substr(slash + 1);
  ray::RayConfig config;
  config.address = info_.address;
  // Actor names are unique within a namespace, and two runs may have the same name.
  config.ray_namespace =
      "dray-" + run_name_ + "-" + std::to_string(getpid()) + "-" +
      std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  config.code_search_path = {ThisLibrary()};
  if (!python_folder_.empty()) config.code_search_path.push_back(python_folder_);
  JoinQuietly(config);
  watch_ = std::make_unique<ClusterWatch>(info_.address);
  metrics_ = std::make_unique<MetricsPublisher>(run_name_, run_name.substr(0, slash));
  *info = info_;
}

void RayCluster::Reserve(const std::string& strategy, const std::vector<dray_bundle>& bundles,
                         double timeout_s) {
  CheckConnected();
  ray::PlacementGroupCreationOptions options;
  options.name = run_name_;
  options.strategy = Strategy(strategy);
  dray_bundle all{};
  for (const dray_bundle& bundle : bundles) {
    options.bundles.push_back(ResourceMap(bundle.cpus, bundle.gpus));
    if (options.bundles.back().empty())
      options.bundles.back()["CPU"] = 0.001;  // Ray rejects empty bundles
    all.cpus += bundle.cpus;
    all.gpus += bundle.gpus;
  }
  ray::PlacementGroup group = ray::CreatePlacementGroup(options);
  if (!group.Wait(std::max(1, static_cast<int>(std::ceil(timeout_s))))) {
    watch_->Check();
    ray::RemovePlacementGroup(group.GetID());
    throw std::runtime_error(
        "the cluster did not reserve " + Number(all.cpus) + " CPUs and " + Number(all.gpus) +
        " GPUs (" + std::to_string(bundles.size()) + " actors, " + strategy + ") within " +
        Number(timeout_s) + " s: it has " + Number(info_.cpus) + " CPUs and " + Number(info_.gpus) +
        " GPUs, of which " + Number(info_.free_cpus) + " and " + Number(info_.free_gpus) +
        " were free; use fewer or smaller actors, or wait for other jobs");
  }
  reservation_ = group;
}

int64_t RayCluster::Start(const dray_actor_request& request) {
  CheckConnected();
  ray::internal::ActorCreationOptions options{};
  options.name = run_name_ + ":" + request.name;
  options.resources = ResourceMap(request.cpus, request.gpus);
  options.max_restarts = request.max_restarts;
  options.max_concurrency = std::max(1, request.concurrency);
  options.bundle_index = -1;
  if (request.bundle >= 0 && !reservation_.Empty()) {
    options.group = reservation_;
    options.bundle_index = request.bundle;
  }

  std::vector<std::string> oracles;
  for (size_t i = 0; i < request.oracle_count; ++i) {
    oracles.push_back(run_name_ + ":" + request.oracles[i]);
  }
  if (!oracles.empty()) {  // each caller starts with a different oracle
    const std::lock_guard<std::mutex> lock(mutex_);
    std::rotate(oracles.begin(), oracles.begin() + oracle_users_++ % oracles.size(), oracles.end());
  }
  std::vector<ray::internal::TaskArg> arguments;
  arguments.push_back(CreationArgument(std::string(request.kind)));
  arguments.push_back(CreationArgument(
      std::string(static_cast<const char*>(request.settings.data), request.settings.size)));
  arguments.push_back(CreationArgument(oracles));
  const std::string id = AskRay([&] {
    return ray::internal::GetRayRuntime()->CreateActor(
        ray::internal::RemoteFunctionHolder("", "RoleActor::Create", "RoleActor"), arguments,
        options);
  });
  const std::lock_guard<std::mutex> lock(mutex_);
  actors_[++last_number_] = {id, request.name};
  return last_number_;
}

RayCluster::Actor RayCluster::FindActor(int64_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = actors_.find(number);
  if (found == actors_.end()) {
    throw std::out_of_range("there is no actor " + std::to_string(number));
  }
  return found->second;
}

RayCluster::Object RayCluster::FindObject(int64_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(number);
  if (found == objects_.end()) {
    throw std::out_of_range("there is no object " + std::to_string(number));
  }
  return found->second;
}

int64_t RayCluster::Keep(HeldObject held, std::string what) {
  auto shared = std::make_shared<HeldObject>(std::move(held));
  const std::lock_guard<std::mutex> lock(mutex_);
  objects_[++last_number_] = {std::move(shared), std::move(what)};
  return last_number_;
}

int64_t RayCluster::Call(int64_t actor, const std::string& method,
                         const std::vector<dray_argument>& arguments) {
  const Actor callee = FindActor(actor);
  std::vector<Object> held;  // keeps the objects if another thread releases them meanwhile
  std::vector<Argument> passed;
  for (const dray_argument& argument : arguments) {
    if (argument.object < 0) {
      passed.push_back({"", argument.bytes});
    } else {
      held.push_back(FindObject(argument.object));
      passed.push_back({held.back().held->id(), {}});
    }
  }
  const std::string what = callee.name + ": " + method;
  try {
    return Keep(AskRay([&] { return CallActor(callee.id, method, passed); }), what);
  } catch (const Lost& lost) {
    throw Lost(what + ": " + lost.what());
  }
}

int64_t RayCluster::Put(dray_bytes bytes) {
  return Keep(AskRay([&] { return PutBytes(bytes); }), "an object of the driver");
}

bool RayCluster::WaitForOne(const std::vector<std::string>& ids, double timeout_s) const {
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout_s);
  for (;;) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    const int slice_ms = 1e3 * std::max(0.0, std::min(left, kSlice_s));
    const auto ready =
        AskRay([&] { return ray::internal::GetRayRuntime()->Wait(ids, 1, slice_ms); });
    if (std::find(ready.begin(), ready.end(), true) != ready.end()) return true;
    if (Clock::now() >= deadline) return false;
  }
}

void RayCluster::Wait(const std::vector<int64_t>& objects, double timeout_s, uint8_t* ready) {
  std::fill(ready, ready + objects.size(), 0);
  if (objects.empty()) return;
  std::vector<Object> held;
  std::vector<std::string> ids;
  for (const int64_t number : objects) {
    held.push_back(FindObject(number));
    ids.push_back(held.back().held->id());
  }
  if (!WaitForOne(ids, timeout_s)) return;
  // Ray stops at the first object that is available: ask for all of them.
  const auto all = AskRay([&] { return ray::internal::GetRayRuntime()->Wait(ids, ids.size(), 0); });
  for (size_t i = 0; i < all.size(); ++i) ready[i] = all[i] ? 1 : 0;
}

void RayCluster::Fetch(int64_t object, double timeout_s, dray_sink bytes) {
  const Object wanted = FindObject(object);
  const auto start = Clock::now();
  try {
    if (!WaitForOne({wanted.held->id()}, timeout_s)) throw TimedOut("");
    const std::chrono::duration<double> waited = Clock::now() - start;
    const double left = std::max(1.0, timeout_s - waited.count());
    CopyPayload(*AskRay([&] { return FetchMessage(wanted.held->id(), left); }), bytes);
  } catch (const TimedOut&) {
    throw std::runtime_error(wanted.what + " did not answer within " + Number(timeout_s) + " s");
  } catch (const Lost& lost) {
    throw Lost(wanted.what + ": " + lost.what());
  }
}

void RayCluster::Release(int64_t object) {
  std::shared_ptr<HeldObject> held;  // released outside the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) return;
  held = std::move(found->second.held);
  objects_.erase(found);
}

void RayCluster::Kill(int64_t actor, bool restart) {
  const std::string id = FindActor(actor).id;
  AskRay([&] { ray::internal::GetRayRuntime()->KillActor(id, /*no_restart=*/!restart); });
  if (restart) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  actors_.erase(actor);
}

void RayCluster::Publish(int64_t epoch, const std::vector<std::string>& names,
                         const std::vector<double>& values) {
  CheckConnected();
  metrics_->Publish(epoch, names, values);
}

void RayCluster::Disconnect() {
  if (watch_ == nullptr) return;
  if (!watch_->ended()) {
    const auto runtime = ray::internal::GetRayRuntime();
    for (const auto& [number, actor] : actors_) {
      try {
        runtime->KillActor(actor.id, /*no_restart=*/true);
      } catch (const std::exception&) {  // already gone
      }
    }
    objects_.clear();
    if (!reservation_.Empty()) ray::RemovePlacementGroup(reservation_.GetID());
  }
  metrics_.reset();
  const bool ended = watch_->ended();
  watch_.reset();
  actors_.clear();
  if (ended) {
    LeaveWithoutRay();
  } else {
    ray::Shutdown();
  }
}

}  // namespace dray_ray
