#pragma once

#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/base/blocking_queue.h"
#include "src/rollout/env_shard.h"

namespace dray {

// Threads that carry out rollouts: whichever is free takes the next one.
class ShardThreads {
 public:
  ShardThreads(std::vector<std::unique_ptr<EnvShard>>& shards, int threads);
  ~ShardThreads();

  // What a rollout goes by.
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
    Rollout rollout;           // without a batch when it failed
    std::exception_ptr error;  // then this is why
  };
  // Waits for the next rollout to end, in whatever order.
  Result Next();
  // Whether there is none to wait for.
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
