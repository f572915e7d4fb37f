#include "src/run/evaluator.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/envs/registry.h"
#include "src/judging/student_t.h"
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
      spec_(make_envs_(config.env(), {}, 1)->spec()),
      policy_(spec_, config.network()) {}

EvaluationReport Evaluator::Evaluate(std::string_view weights, std::string_view learned,
                                     const Watch& watch) {
  policy_.Load(weights);
  EvaluationReport report;
  report.policy_version = policy_.version();
  for (int i = 0; i < config_.evaluation().episodes(); ++i)
    report.episodes.push_back(PlayEpisode(i, learned, watch));
  heartbeat_.Beat("resting");
  return report;
}

Episode Evaluator::PlayEpisode(int index, std::string_view learned, const Watch& watch) {
  const auto env = make_envs_(
      config_.env(),
      {config_.evaluation().seed(), RngPurpose::kEvaluation, static_cast<uint64_t>(index)},
      /*count=*/1);
  const auto width = static_cast<size_t>(spec_.observation_size);
  std::vector<float> observation(width), final_observation(width), values(spec_.actions.low.size());
  std::vector<uint8_t> mask(spec_.masked ? spec_.actions.outputs() : 0);
  std::vector<int16_t> bag(static_cast<size_t>(spec_.bag.indices()));
  float reward = 0;
  uint8_t terminated = 0, truncated = 0;
  StepSlots slots{observation,       mask, {&reward, 1}, {&terminated, 1}, {&truncated, 1},
                  final_observation, bag};
  // As at the end of a run: nothing is tried out any more.
  env->OnRollout({.progress = 1, .learned = learned});
  env->Reset(observation, mask, bag);
  policy_.Resume(std::vector<std::vector<int16_t>>(1));
  if (watch) watch(Cat("Episode ", index + 1));
  for (;;) {
    heartbeat_.Beat("evaluating");
    const auto outputs = policy_.Outputs(observation, bag);
    int32_t action = 0;
    if (spec_.actions.discrete()) {
      action = BestAction(outputs, mask);
    } else {
      std::ranges::copy(outputs, values.begin());
    }
    if (watch) watch(env->Render(0));
    env->Step({{&action, 1}, values}, slots);
    std::vector<Episode> ended = env->TakeEpisodes();
    if (!ended.empty()) {
      if (watch) watch(Cat("Return ", ended[0].total_reward, " in ", ended[0].length, " steps"));
      return ended[0];
    }
  }
}

}  // namespace dray
