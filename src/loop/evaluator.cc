#include "src/loop/evaluator.h"

#include <utility>

#include "src/env/registry.h"

namespace dray {

Evaluator::Evaluator(const Config& config, EnvMaker make_envs)
    : config_(config),
      make_envs_(std::move(make_envs)),
      best_(make_envs_(config.env(), {}, 1)->spec(), config.network()) {}

EvaluationReport Evaluator::Evaluate(std::string_view weights, std::string_view side_model,
                                     const Watch& watch) {
  best_.Load(weights);
  EvaluationReport report;
  report.policy_version = best_.version();
  for (int i = 0; i < config_.evaluation().episodes(); ++i) {
    report.episodes.push_back(PlayEpisode(config_, make_envs_, i, best_, side_model, watch,
                                          [this] { heartbeat_.Beat("evaluating"); }));
  }
  heartbeat_.Beat("resting");
  return report;
}

}  // namespace dray
