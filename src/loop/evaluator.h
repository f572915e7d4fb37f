#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/env/registry.h"
#include "src/loop/episode_play.h"
#include "src/nets/best_actions.h"

namespace dray {

// Returns the yardstick of the config's task; nothing if these settings have none.
std::optional<Yardstick> YardstickOf(const EnvConfig& config);

// A role: weights in, evaluation out. Plays episodes in one environment at a time, with the most
// probable action (or the mean), fixed seeds and frozen normalisers. Episode i always draws the
// same random numbers, whatever was evaluated before, so that policies are compared on equal terms.
class Evaluator {
 public:
  explicit Evaluator(const Config& config, EnvMaker make_envs = MakeBatchEnv);

  // `side_model` is the newest model of the side learner, for tasks that have one.
  EvaluationReport Evaluate(std::string_view weights, std::string_view side_model = {},
                            const Watch& watch = {});
  // Evaluates, and plays the same episodes with the policies of the task's yardstick.
  EvaluationReport Compare(std::string_view weights, std::string_view side_model);
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  std::vector<double> PlayYardstick(const std::string& policy, std::string_view side_model);

  Heartbeat heartbeat_;
  Config config_;
  EnvMaker make_envs_;
  BestActions best_;
  std::optional<Yardstick> yardstick_;
  std::vector<double> reference_returns_;  // empty until they are played, once
  std::vector<double> rival_returns_;      // with rival_model_
  std::string rival_model_;
};

}  // namespace dray
