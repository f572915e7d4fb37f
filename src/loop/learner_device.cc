#include "src/loop/learner_device.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/loop/trial.h"
#include "src/metrics/format.h"
#include "src/nets/actor_critic.h"
#include "src/nets/device.h"

namespace dray {
namespace {

constexpr int kEnvs = 4, kMostSteps = 64;
constexpr int kSteps = 200;        // of the optimiser in an update that is timed, about
constexpr double kEnough_s = 0.3;  // of timing

Config WithoutLearning(Config config) {
  config.mutable_ppo()->set_learning_rate(0);
  return config;
}

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

LearningTrial::LearningTrial(const Config& config, const EnvSpec& spec, const at::Device& device)
    : learner_(WithoutLearning(config), spec, device),
      rollout_(SmallShard(config, spec).Collect(learner_.Publish())) {
  // Copies of the rollout, until an update has enough steps, but no more than a real one.
  const PpoConfig& ppo = config.ppo();
  const std::string_view batch = rollout_.batch->view();
  const int64_t samples = BatchReader(batch).shape().samples();
  const int passes = ppo.policy_epochs() + ppo.value_epochs();
  const int64_t minibatches = std::max(2, kSteps / std::max(1, passes));
  const int64_t real = int64_t{std::max(kEnvs, config.scale().num_envs())} * (samples / kEnvs);
  const int64_t wanted = std::max(samples, std::min(real, minibatches * ppo.minibatch_size()));
  const int64_t copies = (wanted + samples - 1) / samples;
  batches_.assign(copies, batch);
  samples_ = copies * samples;
}

double LearningTrial::Update() { return learner_.Update(batches_, /*remaining=*/1).learn_s; }

LearningTime TimeLearning(const Config& config, const EnvSpec& spec, const at::Device& device) {
  LearningTrial trial(config, spec, device);
  trial.Update();  // makes what is made once
  double best_s = INFINITY, all_s = 0;
  while (all_s < kEnough_s) {
    const double update_s = trial.Update();
    best_s = std::min(best_s, update_s);
    all_s += update_s;
  }
  return {device, best_s / static_cast<double>(trial.samples())};
}

DeviceChoice TryDevices(const std::vector<at::Device>& devices,
                        const std::function<LearningTime(const at::Device&)>& time_learning) {
  std::vector<LearningTime> times;
  std::string failures;
  for (const at::Device& device : devices) {
    const auto trial = RunTrial([&] { return time_learning(device); });
    if (trial.measured) {
      times.push_back(*trial.measured);
    } else {
      failures += Cat("; the trial on ", DeviceName(device), " failed: ", trial.failure);
    }
  }
  DeviceChoice choice =
      times.empty() ? DeviceChoice{at::kCPU, "device auto: cpu"} : QuickestDevice(times);
  choice.why += failures;
  return choice;
}

DeviceChoice LearnerDevice(const Config& config, const EnvSpec& spec) {
  const Device wanted =
      config.run().device() != AUTO ? config.run().device() : config.scale().learner_device();
  const at::Device device = ChooseDevice(wanted);
  if (wanted != AUTO || device.is_cpu()) return {.device = device, .why = ""};
  return TryDevices({at::kCPU, device},
                    [&](const at::Device& tried) { return TimeLearning(config, spec, tried); });
}

}  // namespace dray
