#pragma once

#include <ray/api.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "ray_actors/remote.h"

namespace dray_ray {

// Hands reports to Ray's metrics through an actor in Python, since metrics set from C++ do not
// reach Ray's endpoint. Never waits for it and never fails a run: a report is dropped when the
// actor is behind, and a lost actor is started again.
class MetricsPublisher {
 public:
  MetricsPublisher(std::string run_name, std::string environment)
      : run_name_(std::move(run_name)), environment_(std::move(environment)) {}

  void Publish(int64_t epoch, const std::vector<std::string>& names,
               const std::vector<double>& values);

 private:
  void Start();
  // Forgets calls that are done, and the actor when one of them says that it is gone.
  void Collect();

  std::mutex mutex_;
  std::string run_name_;
  std::string environment_;
  std::string actor_;  // empty: to be started
  int starts_ = 0;
  std::deque<HeldObject> under_way_;
};

}  // namespace dray_ray
