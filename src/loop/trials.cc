#include "src/loop/trials.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "src/base/blocking_queue.h"
#include "src/base/stopwatch.h"
#include "src/env/registry.h"
#include "src/loop/run_plan.h"
#include "src/nets/actor_critic.h"

namespace dray {
namespace {

constexpr int kEnvs = 4, kMostSteps = 64;  // of a short rollout
constexpr int kUpdateSteps = 200;          // of the optimiser in a timed update, about
constexpr double kEnoughLearning_s = 0.3, kEnoughSteps_s = 0.1;
constexpr int kOwnServiceEnvs = 4;     // environments of a shard that has its own service
constexpr int kMostServiceEnvs = 512;  // environments in one timed call
constexpr int kServiceRollouts = 3;    // the fastest counts: the first records launches
constexpr int kHandings = 21;

// A few environments of the config's task, for short rollouts.
EnvShard SmallShard(const Config& config, const EnvSpec& spec) {
  const int steps = spec.RolloutSteps(std::min(config.train().rollout_steps(), kMostSteps));
  return EnvShard(config, {.shard = 0, .first_env = 0, .envs = kEnvs}, steps);
}

Config WithoutLearning(Config config) {
  config.mutable_ppo()->set_learning_rate(0);
  config.mutable_ppo()->set_value_learning_rate(0);
  return config;
}

}  // namespace

Timing RunTrial(const std::function<double()>& trial) {
  try {
    return {.seconds = trial(), .failure = ""};
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return {.failure = what.substr(0, what.find('\n'))};
  }
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
  const int64_t minibatches = std::max(2, kUpdateSteps / std::max(1, passes));
  const int64_t real = int64_t{std::max(kEnvs, config.scale().num_envs())} * (samples / kEnvs);
  const int64_t wanted = std::max(samples, std::min(real, minibatches * ppo.minibatch_size()));
  const int64_t copies = (wanted + samples - 1) / samples;
  batches_.assign(copies, batch);
  samples_ = copies * samples;
}

double LearningTrial::Update() { return learner_.Update(batches_, /*remaining=*/1).learn_s; }

Timing Trials::Learning(const at::Device& device) const {
  return RunTrial([&] {
    LearningTrial trial(config_, spec_, device);
    trial.Update();  // makes what is made once
    double best_s = INFINITY, all_s = 0;
    while (all_s < kEnoughLearning_s) {
      const double update_s = trial.Update();
      best_s = std::min(best_s, update_s);
      all_s += update_s;
    }
    return best_s / static_cast<double>(trial.samples());
  });
}

Timing Trials::Service(const EnvConfig& settings, int workers) const {
  return RunTrial([&] {
    Config config = config_;
    *config.mutable_env() = settings;
    const RunPlan plan = MakePlan(config, spec_);
    const bool shared = TaskOf(settings).service->shared(settings);
    const int envs = std::min(plan.num_envs, shared ? kMostServiceEnvs : kOwnServiceEnvs);
    EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = envs}, plan.rollout_steps);
    const std::string weights = UntrainedWeights(config, spec_);
    double best_s = INFINITY;
    for (int i = 0; i < kServiceRollouts; ++i) {
      best_s = std::min(best_s, shard.Collect(weights).summary.metrics.Get("time/oracle_s"));
    }
    // A shared service answers all shards at once; otherwise each shard's own answers, side by
    // side.
    const int at_once = shared ? plan.num_envs : (plan.num_envs + workers - 1) / workers;
    return best_s / plan.rollout_steps * at_once / envs;
  });
}

Timing Trials::Step() const {
  return RunTrial([&] {
    EnvShard shard = SmallShard(config_, spec_);
    const std::string weights = UntrainedWeights(config_, spec_);
    double best_s = INFINITY;
    const Stopwatch all;
    do {
      const Stopwatch watch;
      const Rollout rollout = shard.Collect(weights);
      const double steps = BatchReader(rollout.batch->view()).shape().samples();
      best_s = std::min(best_s, watch.seconds() / steps);
    } while (all.seconds() < kEnoughSteps_s);
    return best_s;
  });
}

double TimeHandingToThread() {
  BlockingQueue<int> work, done;
  std::thread other([&] {
    while (const std::optional<int> item = work.Pop()) done.Push(*item);
  });
  std::vector<double> times;
  for (int i = 0; i < kHandings; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // by then the other one sleeps
    const Stopwatch watch;
    work.Push(i);
    times.push_back(watch.seconds());
    done.Pop();
  }
  work.Close();
  other.join();
  std::ranges::nth_element(times, times.begin() + kHandings / 2);
  return std::clamp(times[kHandings / 2], kHandingToThread_s, kHandingToActor_s);
}

}  // namespace dray
