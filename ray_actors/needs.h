#pragma once

#include <cstdint>
#include <string>

namespace dray_ray {

// What a cluster has to give.
struct Resources {
  double cpus = 0;
  double gpus = 0;
  int64_t memory_bytes = 0;
  int64_t object_store_bytes = 0;
};

struct ClusterInfo {
  std::string address;        // host:port, as ray::Init wants it
  std::string dashboard_url;  // empty when there is no dashboard
  std::string temp_dir;       // Ray's folder on this machine: sessions and logs
  std::string ray_version;
  int nodes = 0;
  Resources total;
  Resources available;       // what no other job holds at the moment
  bool wants_token = false;  // RAY_AUTH_MODE is then set in this process
  bool own_head = false;     // started by this process, and ended with it
};

// What a run asks of a cluster, and who asks, in words: "8 shards and a learner".
struct Needs {
  Resources resources;
  std::string what;
};

// One line that says what is missing and what to do, or empty.
std::string WhatIsMissing(const ClusterInfo& cluster, const Needs& needs);

}  // namespace dray_ray
