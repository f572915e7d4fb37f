#include "ray_actors/needs.h"

#include <cstdio>

namespace dray_ray {
namespace {

std::string Amount(double amount, bool bytes) {
  char text[64];
  if (bytes) {
    std::snprintf(text, sizeof(text), "%.3g GB of", amount / 1e9);
  } else {
    std::snprintf(text, sizeof(text), "%g", amount);
  }
  return text;
}

struct Kind {
  const char* name;
  bool bytes;
  double needed;
  double total;
  double available;
  const char* advice;  // when the cluster is too small for it
};

std::string MissingOf(const Kind& kind, const ClusterInfo& cluster, const Needs& needs) {
  const std::string asks = needs.what + " need " + Amount(kind.needed, kind.bytes) + " " +
                           kind.name + "; the cluster at " + cluster.address + " ";
  if (kind.total < kind.needed) {
    const std::string has = kind.total == 0 ? "none" : Amount(kind.total, kind.bytes);
    return asks + "has " + has + (kind.bytes && kind.total != 0 ? " it" : "") + " on " +
           std::to_string(cluster.nodes) + (cluster.nodes == 1 ? " node: " : " nodes: ") +
           kind.advice;
  }
  if (kind.available < kind.needed) {
    return asks + "has " + Amount(kind.available, kind.bytes) + (kind.bytes ? " it" : "") +
           " free, and other jobs hold the rest: wait for them to end, or ask for less";
  }
  return "";
}

}  // namespace

std::string WhatIsMissing(const ClusterInfo& cluster, const Needs& needs) {
  const Resources& needed = needs.resources;
  const Resources& total = cluster.total;
  const Resources& available = cluster.available;
  // A head of our own ends with the run: nobody joins that.
  const std::string join = cluster.own_head
                               ? "start a cluster of several machines with scripts/cluster.sh"
                               : "add a machine with scripts/cluster.sh join " + cluster.address;
  const std::string fewer = "ask for fewer, or " + join;
  const std::string no_gpu = "train on the CPU, or " + join;
  const std::string store = "ask for less, or start the cluster with a larger --object-store-gb";
  const Kind kinds[] = {
      {"CPUs", false, needed.cpus, total.cpus, available.cpus, fewer.c_str()},
      {"GPUs", false, needed.gpus, total.gpus, available.gpus, no_gpu.c_str()},
      {"memory", true, double(needed.memory_bytes), double(total.memory_bytes),
       double(available.memory_bytes), fewer.c_str()},
      {"object store", true, double(needed.object_store_bytes), double(total.object_store_bytes),
       double(available.object_store_bytes), store.c_str()},
  };
  for (const Kind& kind : kinds) {
    const std::string missing = MissingOf(kind, cluster, needs);
    if (!missing.empty()) return missing;
  }
  return "";
}

}  // namespace dray_ray
