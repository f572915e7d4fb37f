#pragma once

#include <ray/api.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "ray_actors/remote.h"

namespace dray_ray {

// Publishes reports as Ray metrics through a Python actor, since metrics set from C++ do not reach
// Ray's endpoint. Never waits for the actor and never fails a run: reports are dropped while the
// actor is behind, and a lost actor is restarted.
class MetricsPublisher {
 public:
  MetricsPublisher(std::string run_name, std::string environment)
      : run_name_(std::move(run_name)), environment_(std::move(environment)) {}

  void Publish(int64_t epoch, const std::vector<std::string>& names,
               const std::vector<double>& values);

 private:
  void Start();
  // Drops finished calls, and the actor if one of them failed because it is gone.
  void Collect();

  std::mutex mutex_;
  std::string run_name_;
  std::string environment_;
  std::string actor_;  // empty: not started
  int starts_ = 0;
  std::deque<HeldObject> under_way_;
};

}  // namespace dray_ray
