#include "src/loop/shard_threads.h"

#include "src/base/error.h"

namespace dray {

ShardThreads::ShardThreads(std::vector<std::unique_ptr<EnvShard>>& shards, int threads)
    : shards_(shards) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Serve(); });
}

ShardThreads::~ShardThreads() {
  work_.Cancel();
  for (std::thread& thread : threads_) thread.join();
}

Rollout ShardThreads::Inputs::Collect(EnvShard& shard) const {
  return shard.Collect(
      *weights, {.progress = progress, .side_model = *side_model, .side_by_side = side_by_side});
}

void ShardThreads::Start(int shard, Inputs inputs) {
  ++under_way_;
  inputs.side_by_side = true;
  work_.Push({shard, std::move(inputs)});
}

ShardThreads::Result ShardThreads::Next() {
  auto result = results_.Pop();
  DRAY_CHECK(result.has_value());
  --under_way_;
  return *std::move(result);
}

std::optional<ShardThreads::Result> ShardThreads::NextWithin(double timeout_s) {
  auto result = results_.Pop(timeout_s);
  if (result) --under_way_;
  return result;
}

void ShardThreads::Serve() {
  while (const auto work = work_.Pop()) {
    Result result;
    result.shard = work->shard;
    try {
      result.rollout = work->inputs.Collect(*shards_[work->shard]);
    } catch (...) {
      result.error = std::current_exception();
    }
    results_.Push(std::move(result));
  }
}

}  // namespace dray
