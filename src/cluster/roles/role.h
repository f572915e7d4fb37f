#pragma once

#include <span>
#include <string_view>

#include "src/base/bytes.h"

namespace dray {

// One of the engine's roles behind calls by name, bytes in and bytes out, hosted by an actor. An
// actor of a cluster adds nothing to it, and tests host roles in their own process.
//
//   kind        methods
//   env_shard   collect, summary, heartbeat, save, load
//   learner     update, summary, heartbeat, publish, export, save, load
//   evaluator   evaluate, heartbeat
//   embedder    add, update, publish, heartbeat, save, load
//   oracle      solve, heartbeat
//   trial       train, stop, heartbeat
//   settler     settle, heartbeat
//
// `collect` and `update` take long and their replies are large (a batch; weights): the replies stay
// where they are until they are needed, and the loop gets what it needs from `summary`, which waits
// for the given call. `summary` and `heartbeat` may be called meanwhile by other threads, and
// `solve` by any number of threads, whose requests are merged.
class Role {
 public:
  virtual ~Role() = default;

  using Arguments = std::span<const std::string_view>;
  // Unknown methods and wrong numbers of arguments are Errors.
  virtual void Call(std::string_view method, Arguments arguments, ByteSink& reply) = 0;
};

}  // namespace dray
