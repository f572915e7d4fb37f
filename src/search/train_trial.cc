#include "src/search/train_trial.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "src/base/file.h"
#include "src/base/stopwatch.h"
#include "src/env/episode_stats.h"
#include "src/env/registry.h"
#include "src/loop/auto_settings.h"
#include "src/loop/checkpoint.h"
#include "src/loop/evaluator.h"
#include "src/loop/local_runner.h"
#include "src/loop/training.h"
#include "src/nets/device.h"

namespace dray {

TrialResult ScoreOf(const std::vector<Episode>& episodes, const EnvSpec& spec,
                    const Workflow& workflow) {
  const auto return_stat = StatPlace(spec, workflow.return_stat);
  const auto compliance_stat = StatPlace(spec, workflow.compliance_stat);
  const auto return_of = [&](const Episode& episode) {
    return return_stat ? episode.stats[*return_stat] : episode.total_reward;
  };
  TrialResult result;
  result.episodes = std::ssize(episodes);
  if (episodes.empty()) {
    result.mean_return = std::numeric_limits<double>::quiet_NaN();
    result.compliance = 0;
    return result;
  }
  const double count = episodes.size();
  double returns = 0, compliance = 0;
  for (const Episode& episode : episodes) {
    returns += return_of(episode);
    compliance += compliance_stat ? episode.stats[*compliance_stat] : 1;
  }
  result.mean_return = returns / count;
  // Rounding may push a mean of ones above 1.
  result.compliance = std::clamp(compliance / count, 0.0, 1.0);
  double squares = 0;
  for (const Episode& episode : episodes) {
    squares += std::pow(return_of(episode) - result.mean_return, 2);
  }
  if (episodes.size() > 1 && std::isfinite(squares)) result.return_variance = squares / (count - 1);
  return result;
}

namespace {

// Plays the policy's most probable actions. Chance depends only on evaluation.seed and the number
// of the episode, so policies of different trials face the same episodes.
std::optional<std::vector<Episode>> PlayPolicy(const Config& config, const Checkpoint& policy,
                                               const std::function<bool()>& interrupted) {
  struct GivenUp {};
  Config played = config;
  played.mutable_evaluation()->set_episodes(config.search().episodes());
  // A new environment is made for each episode.
  const auto make_envs = [&](const auto&... arguments) {
    if (interrupted()) throw GivenUp();
    return MakeBatchEnv(arguments...);
  };
  try {
    return Evaluator(played, make_envs).Evaluate(policy.weights, policy.side_model).episodes;
  } catch (const GivenUp&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<TrialResult> TrainTrial(const Config& config,
                                      const std::function<bool()>& interrupted) {
  const Stopwatch watch;
  const std::string& folder = config.run().dir();
  MakeWritableFolder(folder);
  std::ofstream log(folder + "/train.log");
  Training::Options options;
  options.config = config;
  options.out = &log;
  options.where_set = [](const std::string& path) { return path; };
  const EnvSpec spec = SpecOf(config.env());
  const at::Device device = LearnerDevice(config, Trials(config, spec)).device;
  options.device = DeviceName(device);
  Training training(options);
  bool stopped = false;
  LocalRunner(training, device).Run([&] {
    stopped = stopped || interrupted();
    return stopped;
  });
  if (stopped && training.coordinator().progress() < 1) return std::nullopt;
  const auto trained = CheckpointStore(folder + "/checkpoints", {}).LoadNewest();
  const auto episodes = PlayPolicy(config, trained.checkpoint, interrupted);
  if (!episodes) return std::nullopt;
  TrialResult result = ScoreOf(*episodes, spec, TaskOf(config.env()).workflow.value_or(Workflow()));
  result.updates = training.coordinator().counters().updates;
  result.stopped_early = training.coordinator().counters().goal_reached != 0;
  result.seconds = watch.seconds();
  result.checkpoint = trained.path;
  return result;
}

}  // namespace dray
