#include "src/loop/evaluator.h"

#include <memory>
#include <utility>

#include "src/env/registry.h"

namespace dray {
namespace {

Config ForEvaluation(Config config) {
  const Task& task = TaskOf(config.env());
  if (task.for_evaluation) task.for_evaluation(config.mutable_env());
  return config;
}

}  // namespace

std::optional<Yardstick> YardstickOf(const EnvConfig& config) {
  const Task& task = TaskOf(config);
  return task.yardstick ? task.yardstick(config) : std::nullopt;
}

Evaluator::Evaluator(const Config& config, EnvMaker make_envs)
    : config_(ForEvaluation(config)),
      make_envs_(std::move(make_envs)),
      best_(make_envs_(config_.env(), {}, 1)->spec(), config.network()),
      yardstick_(YardstickOf(config.env())) {}

EvaluationReport Evaluator::Evaluate(std::string_view weights, std::string_view side_model,
                                     const Watch& watch) {
  best_.Load(weights);
  EvaluationReport report;
  report.policy_version = best_.version();
  for (int i = 0; i < config_.evaluation().episodes(); ++i) {
    report.episodes.push_back(PlayEpisode(*MakeEpisodeEnv(config_, make_envs_, i), i, best_,
                                          side_model, watch,
                                          [this] { heartbeat_.Beat("evaluating"); }));
  }
  heartbeat_.Beat("resting");
  return report;
}

EvaluationReport Evaluator::Compare(std::string_view weights, std::string_view side_model) {
  EvaluationReport report = Evaluate(weights, side_model);
  if (!yardstick_) return report;
  if (reference_returns_.empty()) {
    reference_returns_ = PlayYardstick(yardstick_->reference, side_model);
  }
  if (rival_returns_.empty() || rival_model_ != side_model) {
    rival_returns_ = PlayYardstick(yardstick_->rival, side_model);
    rival_model_ = side_model;
  }
  report.reference_returns = reference_returns_;
  report.rival_returns = rival_returns_;
  return report;
}

std::vector<double> Evaluator::PlayYardstick(const std::string& policy,
                                             std::string_view side_model) {
  std::vector<double> returns;
  for (int i = 0; i < config_.evaluation().episodes(); ++i) {
    const std::unique_ptr<BatchEnv> env = MakeEpisodeEnv(config_, make_envs_, i);
    const std::unique_ptr<Player> player = yardstick_->make(policy, *env, config_);
    returns.push_back(PlayEpisode(*env, i, *player, side_model, {}, [this] {
                        heartbeat_.Beat("evaluating");
                      }).total_reward);
  }
  heartbeat_.Beat("resting");
  return returns;
}

}  // namespace dray
