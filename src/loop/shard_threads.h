#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/base/blocking_queue.h"
#include "src/rollout/env_shard.h"

namespace dray {

// Threads that run rollouts; a free one takes the next.
class ShardThreads {
 public:
  ShardThreads(std::vector<std::unique_ptr<EnvShard>>& shards, int threads);
  ~ShardThreads();

  // Inputs of a rollout.
  struct Inputs {
    std::shared_ptr<const std::string> weights;
    std::shared_ptr<const std::string> side_model;
    double progress = 0;
    bool side_by_side = false;  // set by Start

    Rollout Collect(EnvShard& shard) const;
  };
  void Start(int shard, Inputs inputs);

  struct Result {
    int shard = 0;
    Rollout rollout;           // has no batch if it failed
    std::exception_ptr error;  // reason of the failure
  };
  // Waits for the next rollout to end, in any order.
  Result Next();
  // Returns nothing after `timeout_s`.
  std::optional<Result> NextWithin(double timeout_s);
  // Returns whether no rollout is running.
  bool idle() const { return under_way_ == 0; }

 private:
  struct Work {
    int shard;
    Inputs inputs;
  };
  void Serve();

  std::vector<std::unique_ptr<EnvShard>>& shards_;
  BlockingQueue<Work> work_;
  BlockingQueue<Result> results_;
  int under_way_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace dray
