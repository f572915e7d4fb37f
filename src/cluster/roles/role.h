#pragma once

#include <span>
#include <string_view>

#include "src/base/bytes.h"

namespace dray {

// What an actor hosts: one of the engine's roles behind calls by name, bytes in and bytes out. An
// actor of a cluster adds nothing to it, and tests host roles in their own process.
//
//   kind        methods
//   env_shard   collect, summary, heartbeat, save, load
//   learner     update, summary, heartbeat, publish, export, save, load
//   evaluator   evaluate, heartbeat
//   embedder    add, update, publish, heartbeat, save, load
//   oracle      solve, heartbeat
//   trial       train, stop, heartbeat
//
// `collect` and `update` are long and their replies large (a batch; weights): these stay where they
// are until somebody needs them, and what the loop wants to know comes by `summary`, which waits
// for the call that it is asked for. It and `heartbeat` may be called meanwhile, by other threads;
// and `solve` by as many as there are: what they bring is merged.
class Role {
 public:
  virtual ~Role() = default;

  using Arguments = std::span<const std::string_view>;
  // Unknown methods and wrong numbers of arguments are Errors.
  virtual void Call(std::string_view method, Arguments arguments, ByteSink& reply) = 0;
};

}  // namespace dray
