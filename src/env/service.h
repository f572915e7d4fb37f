#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"

namespace dray {

// Totals of a ServiceHost since it was made.
struct ServiceWork {
  int64_t items = 0;                      // parts of requests, such as problems to price
  std::map<size_t, int64_t> batch_sizes;  // number of batches by their number of items
  double busy_s = 0;
  int64_t splits = 0;  // batches that did not fit into memory
  int64_t limit = 0;   // most items in a batch now
};

// Answers the requests of environments in other processes.
class ServiceHost {
 public:
  virtual ~ServiceHost() = default;

  // May be called by many threads at once; their requests are merged into batches. An Error when
  // the request makes no sense or cannot be answered.
  virtual std::string Answer(std::string_view request) = 0;
  virtual ServiceWork work() const = 0;
};

// One way to set up a service.
struct ServiceCandidate {
  std::string name;
  EnvConfig settings;
};

// Work that a task's environments can leave to others: to actors of their own on a cluster, or to
// one object that all shards of a process share. Pricing routes by an oracle is one.
struct Service {
  // Words for messages: "oracle", and what it does in a step, "pricing".
  std::string_view name;
  std::string_view activity;
  // Setting below env.<task> that says where it runs: a run may be resumed on another device.
  std::string_view device_setting;

  // Makes what an actor hosts. `callers`: number of shards that call it all the time; 0: unknown.
  std::function<std::unique_ptr<ServiceHost>(const EnvConfig& config, int callers)> make_host;
  // Returns whether all shards of a process share one, so that a step of all shards is one call.
  std::function<bool(const EnvConfig& config)> shared;
  // Moves it to the device, unless its own setting already names one.
  std::function<void(Device device, EnvConfig* config)> place;
  // Moves it to actors of a cluster, where the settings leave that open, if it would use a GPU: one
  // actor for each of `gpus`, but at least one, serves all shards, which need no GPU.
  std::function<void(int gpus, EnvConfig* config)> place_on_cluster;
  // Lists the setups that these settings leave open on this machine, in order of preference: one
  // if there is nothing to choose.
  std::function<std::vector<ServiceCandidate>(const EnvConfig& config)> candidates;
};

}  // namespace dray
