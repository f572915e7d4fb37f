#pragma once

#include <string_view>

#include "src/base/heartbeat.h"
#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/env/registry.h"
#include "src/loop/episode_play.h"
#include "src/nets/best_actions.h"

namespace dray {

// A role: weights in, evaluation out. Plays episodes in one environment at a time, with the most
// probable action (or the mean), fixed seeds and frozen normalisers. Episode i always draws the
// same random numbers, whatever was evaluated before, so that policies are compared on equal terms.
class Evaluator {
 public:
  explicit Evaluator(const Config& config, EnvMaker make_envs = MakeBatchEnv);

  // `side_model` is the newest model of the side learner, for tasks that have one.
  EvaluationReport Evaluate(std::string_view weights, std::string_view side_model = {},
                            const Watch& watch = {});
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  Heartbeat heartbeat_;
  Config config_;
  EnvMaker make_envs_;
  BestActions best_;
};

}  // namespace dray
