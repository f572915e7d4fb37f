#pragma once

#include <memory>

#include "src/cluster/roles/role.h"
#include "src/config/config.pb.h"

namespace dray {

// A training whose loop runs outside of the engine, one update at a time, for callers that start
// and call the roles' actors themselves, as the Python client does. It says what to do and takes
// the results; what roles send each other does not pass through it. Synchronous; it has no run
// folder.
//
//   place(cluster)       Cluster::Info as JSON -> resources of the actors, as JSON; called first
//   settings(actor)      -> RoleSettings of "shard-3", "learner", "evaluator" or "oracle-0"
//   next()               -> {"collect": [shard, ...]}: a rollout of each;
//                           {"update": [ticket, ...]}: from these rollouts, in this order, where
//                           tickets count the calls of `rolled`;
//                           {"finished": epochs}: the run is at its limit or goal
//   header()             -> first argument of the next collects or update, and of their summaries
//   side_model()         -> last argument of collect and evaluate
//   rolled(summary)      a rollout is done
//   updated(summary)     -> report, as JSON
//   evaluated(report)    -> report, as JSON
//   save(path, learner, weights, shard, ...)   writes a checkpoint of these states
//   load(path)           resumes from a checkpoint; then saved("learner") and saved("shard-3")
//   return
//                        the states to load there
std::unique_ptr<Role> MakeSteppedTraining(const Config& config);

}  // namespace dray
