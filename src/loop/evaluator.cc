#include "src/loop/evaluator.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/student_t.h"
#include "src/envs/registry.h"
#include "src/nets/sampling.h"

namespace dray {
double EvaluationReport::mean_return() const {
  double sum = 0;
  for (const Episode& episode : episodes) sum += episode.total_reward;
  return sum / static_cast<double>(episodes.size());
}

double EvaluationReport::std_return() const {
  if (episodes.size() < 2) return 0;
  const double mean = mean_return();
  double sum = 0;
  for (const Episode& episode : episodes)
    sum += (episode.total_reward - mean) * (episode.total_reward - mean);
  return std::sqrt(sum / static_cast<double>(episodes.size() - 1));
}

double EvaluationReport::ci95_return() const {
  if (episodes.size() < 2) return std::nan("");
  return StudentT975(episodes.size() - 1) * std_return() /
         std::sqrt(static_cast<double>(episodes.size()));
}

double EvaluationReport::mean_length() const {
  double sum = 0;
  for (const Episode& episode : episodes) sum += static_cast<double>(episode.length);
  return sum / static_cast<double>(episodes.size());
}

std::string EvaluationReport::ToBytes() const {
  ByteWriter out;
  out.Put(policy_version);
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
  return out.Take();
}

EvaluationReport EvaluationReport::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "an evaluation's report");
  EvaluationReport report;
  report.policy_version = in.Get<int64_t>();
  const auto episodes = in.Get<uint64_t>();
  for (uint64_t i = 0; i < episodes; ++i) report.episodes.push_back(LoadEpisode(in));
  in.ExpectEnd();
  return report;
}

Evaluator::Evaluator(const Config& config, EnvMaker make_envs)
    : config_(config),
      make_envs_(std::move(make_envs)),
      best_(make_envs_(config.env(), {}, 1)->spec(), config.network()) {}

void Evaluator::BestActions::Begin(int /*index*/) {
  policy.Resume(std::vector<std::vector<int16_t>>(1));
}

void Evaluator::BestActions::Act(const Sight& sight, int32_t& index, std::span<float> values) {
  const auto outputs = policy.Outputs(sight.observation, sight.bag);
  if (discrete) {
    index = BestAction(outputs, sight.mask);
  } else {
    std::ranges::copy(outputs, values.begin());
  }
}

EvaluationReport Evaluator::Evaluate(std::string_view weights, std::string_view side_model,
                                     const Watch& watch) {
  best_.policy.Load(weights);
  EvaluationReport report;
  report.policy_version = best_.policy.version();
  for (int i = 0; i < config_.evaluation().episodes(); ++i) {
    report.episodes.push_back(PlayEpisode(config_, make_envs_, i, best_, side_model, watch,
                                          [this] { heartbeat_.Beat("evaluating"); }));
  }
  heartbeat_.Beat("resting");
  return report;
}

}  // namespace dray
