#pragma once

#include <ray/api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ray_actors/cluster_watch.h"
#include "ray_actors/metrics_publisher.h"
#include "ray_actors/remote.h"
#include "src/api/dray.h"

namespace dray_ray {

// Implements the engine's cluster (src/api/dray.h) on Ray. Failures are exceptions: Lost, or any
// other.
class RayCluster {
 public:
  // `found` describes the cluster to join; `python_folder` contains the Python package.
  RayCluster(const dray_cluster_info& found, std::string python_folder)
      : info_(found), python_folder_(std::move(python_folder)) {}

  void Connect(const std::string& run_name, dray_cluster_info* info);
  void Reserve(const std::string& strategy, const std::vector<dray_bundle>& bundles,
               double timeout_s);
  int64_t Start(const dray_actor_request& request);
  int64_t Call(int64_t actor, const std::string& method,
               const std::vector<dray_argument>& arguments);
  int64_t Put(dray_bytes bytes);
  void Wait(const std::vector<int64_t>& objects, double timeout_s, uint8_t* ready);
  void Fetch(int64_t object, double timeout_s, dray_sink bytes);
  void Release(int64_t object);
  void Kill(int64_t actor, bool restart);
  void Publish(int64_t epoch, const std::vector<std::string>& names,
               const std::vector<double>& values);
  void Disconnect();

 private:
  struct Actor {
    std::string id;
    std::string name;
  };
  struct Object {
    std::shared_ptr<HeldObject> held;
    std::string what;  // shown in messages: "shard-03: collect"
  };

  void CheckConnected() const;
  // Calls Ray. If the call fails because Ray has ended, the error says so.
  template <typename Body>
  auto AskRay(const Body& body) const;
  Actor FindActor(int64_t number) const;
  Object FindObject(int64_t number) const;
  int64_t Keep(HeldObject held, std::string what);
  // Waits until one of the objects is available; returns false on timeout.
  bool WaitForOne(const std::vector<std::string>& ids, double timeout_s) const;

  dray_cluster_info info_;
  std::string python_folder_;
  std::string run_name_;
  std::unique_ptr<ClusterWatch> watch_;
  std::unique_ptr<MetricsPublisher> metrics_;
  ray::PlacementGroup reservation_;

  mutable std::mutex mutex_;  // guards the tables and counters below
  std::map<int64_t, Actor> actors_;
  std::map<int64_t, Object> objects_;
  int64_t last_number_ = 0;
  size_t oracle_users_ = 0;
};

}  // namespace dray_ray
