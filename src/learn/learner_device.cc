#include "src/learn/learner_device.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/learn/learner.h"
#include "src/metrics/format.h"
#include "src/nets/actor_critic.h"
#include "src/nets/device.h"

namespace dray {
namespace {

constexpr int kEnvs = 4, kMostSteps = 64;
constexpr int kSteps = 200;        // of the optimiser in an update that is timed, about
constexpr double kEnough_s = 0.3;  // of timing

}  // namespace

DeviceChoice QuickestDevice(const std::vector<LearningTime>& times) {
  DRAY_CHECK(!times.empty());
  DeviceChoice choice;
  choice.device = FirstAboutAsQuick(times, &LearningTime::sample_s).device;
  choice.why = Cat("device auto: ", DeviceName(choice.device), "; learning from a sample takes ");
  for (const LearningTime& time : times) {
    choice.why += Cat(&time == &times[0] ? "" : ", ", FormatSignificant(1e6 * time.sample_s, 3),
                      " µs on ", DeviceName(time.device));
  }
  return choice;
}

EnvShard SmallShard(const Config& config, const EnvSpec& spec) {
  const int steps = spec.fixed_length ? spec.max_episode_steps
                                      : std::min(config.train().rollout_steps(), kMostSteps);
  return EnvShard(config, {.shard = 0, .first_env = 0, .envs = kEnvs}, steps);
}

std::string UntrainedWeights(const Config& config, const EnvSpec& spec) {
  Rng rng(config.train().seed(), RngPurpose::kInit, 0);
  return ActorCritic(spec, config.network(), rng, at::kCPU).Publish(0, {}).ToBytes();
}

LearningTime TimeLearning(const Config& config, const EnvSpec& spec, const at::Device& device) {
  const PpoConfig& ppo = config.ppo();
  Learner learner(config, spec, device);
  const Rollout rollout = SmallShard(config, spec).Collect(learner.Publish());
  // The same again and again, until an update has enough steps, but no more than a real one.
  const BatchReader reader(rollout.batch->view());
  const int64_t samples = reader.shape().samples();
  const int passes = ppo.policy_epochs() + ppo.value_epochs();
  const int64_t minibatches = std::max(2, kSteps / std::max(1, passes));
  const int64_t real = int64_t{std::max(kEnvs, config.scale().num_envs())} * (samples / kEnvs);
  const int64_t wanted = std::max(samples, std::min(real, minibatches * ppo.minibatch_size()));
  const auto copies = static_cast<size_t>((wanted + samples - 1) / samples);
  const std::vector<std::string_view> batches(copies, rollout.batch->view());
  learner.Update(batches, 1);  // makes what is made once
  double best_s = INFINITY, all_s = 0;
  while (all_s < kEnough_s) {
    const double update_s = learner.Update(batches, 1).learn_s;
    best_s = std::min(best_s, update_s);
    all_s += update_s;
  }
  return {device, best_s / static_cast<double>(static_cast<int64_t>(copies) * samples)};
}

DeviceChoice LearnerDevice(const Config& config, const EnvSpec& spec) {
  const Device wanted =
      config.run().device() != AUTO ? config.run().device() : config.scale().learner_device();
  const at::Device device = ChooseDevice(wanted);
  if (wanted != AUTO || device.is_cpu()) return {.device = device, .why = ""};
  return QuickestDevice({TimeLearning(config, spec, at::kCPU), TimeLearning(config, spec, device)});
}

}  // namespace dray
